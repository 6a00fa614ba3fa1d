from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.cli.demo import FILES, job_text
from shoal.io.toml import to_toml


def test_leaves_a_release_that_keeps_its_promises_and_a_job_that_does_it_again(shoal, folder):
    answer = shoal("demo", "--rows", "300", "--folder", "there/demo")
    assert answer.status == 0, answer.err
    made = folder / "there" / "demo"
    assert {path.name for path in made.iterdir()} == set(FILES)
    for word in ("10-anonymity", "3-diversity", "Before and after", "Highest risk", "LM"):
        assert word in answer.out
    for name in FILES:
        assert name in answer.err
    quasi = ("--quasi", "birth_date,postcode,sex,marital_status,job", "--sensitive", "diagnosis")
    assert shoal("verify", made / "release.csv", *quasi, "--k", "10", "--l", "3").status == 0
    (made / "release.csv").unlink()
    again = shoal("run", made / "job.toml")
    assert again.status == 0, again.err
    assert "10-anonymity" in again.out
    assert shoal("verify", made / "release.csv", *quasi, "--k", "10", "--l", "3").status == 0


def test_overwrites_its_own_files_and_no_others(shoal, folder, files):
    assert shoal("demo", "--rows", "200", "--folder", "demo").status == 0
    Path("demo/notes.txt").write_text("mine")
    assert shoal("demo", "--rows", "300", "--folder", "demo", "--quiet").status == 0
    assert Path("demo/notes.txt").read_text() == "mine"
    assert len(Path("demo/people.csv").read_text().splitlines()) == 301
    before = files()
    answer = shoal("demo", "--rows", "300", "--folder", ".")  # has a people.csv that is not the demo's
    assert (answer.status, "'people.csv'" in answer.err) == (2, True)
    assert shoal("demo", "--folder", "people.csv").status == 2
    assert shoal("demo", "--rows", "5").status == 2
    assert files() == before


def test_the_example_is_the_same_every_time(shoal, folder):
    """Also with the fewest rows it takes, of which more stand alone."""
    assert shoal("demo", "--rows", "100", "--folder", "one", "-q").status == 0
    assert shoal("demo", "--rows", "100", "--folder", "two", "-q").status == 0
    assert Path("one/people.csv").read_bytes() == Path("two/people.csv").read_bytes()


def test_the_job_has_no_seed():
    assert "seed" not in tomllib.loads(job_text())


plain = st.text('aé"\\\n\x7f[]', max_size=5) | st.integers(-9, 9) | st.booleans()
keys = st.text("aä. \"'-=]", max_size=3)
groups = st.dictionaries(keys, plain | st.lists(plain, max_size=3), max_size=3)


@given(st.dictionaries(keys, plain | groups | st.dictionaries(keys, groups, max_size=2), max_size=4))
def test_toml_survives_a_round_trip(said):
    assert tomllib.loads(to_toml(said)) == said


@pytest.mark.parametrize("text", ["\x7f", 'a"b\\c', "line\nbreak", "\t", "é…"])
def test_odd_texts_in_toml(text):
    assert tomllib.loads(to_toml({text: text})) == {text: text}


def test_a_demo_that_is_stopped_leaves_no_release_of_other_people(shoal, folder, monkeypatch):
    assert shoal("demo", "--rows", "200", "--folder", "demo", "-q").status == 0

    def stopped(job, progress):
        raise KeyboardInterrupt

    monkeypatch.setattr("shoal.cli.demo.run_job", stopped)
    assert shoal("demo", "--rows", "300", "--folder", "demo", "-q").status == 130
    assert sorted(path.name for path in (folder / "demo").iterdir()) == ["job.toml", "people.csv"]
