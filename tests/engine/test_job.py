"""Job files: the same words, the same bytes."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import shoal
from shoal.engine.job import read_job, run_job

JOB = """
input = "people.csv"
output = "release.csv"
report = "report.html"
public_report = "public.html"
identifiers = ["name"]
quasi_identifiers = ["age", "zip"]
sensitive = ["disease"]
seed = 5

[privacy]
k = 3
l = "2:disease"

[hierarchies]
zip = "mask"
age = { builder = "intervals", width = 10 }
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    pl.DataFrame(
        {
            "name": [f"p{i}" for i in range(40)],
            "age": [20 + i for i in range(40)],
            "zip": [f"0{i % 8}139" for i in range(40)],
            "disease": ["flu", "gout", "HIV", "asthma"] * 10,
        }
    ).write_csv(tmp_path / "people.csv")
    (tmp_path / "job.toml").write_text(JOB)
    return tmp_path


def test_a_job_does_what_the_library_does_with_the_same_words(folder: Path) -> None:
    run_job(folder / "job.toml")
    by_call = shoal.anonymize(
        folder / "people.csv",
        identifiers=["name"],
        quasi_identifiers=["age", "zip"],
        sensitive=["disease"],
        privacy=[shoal.KAnonymity(3), shoal.LDiversity(2, of="disease")],
        hierarchies={"zip": "mask", "age": shoal.Intervals(width=10)},
        seed=5,
    )
    by_call.write(folder / "again.csv")
    assert (folder / "again.csv").read_bytes() == (folder / "release.csv").read_bytes()
    assert (folder / "report.html").exists()
    assert (folder / "public.html").exists()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (JOB.replace("sensitive =", "sensetive ="), "'sensetive' is unknown. Did you mean 'sensitive'"),
        (JOB.replace("quasi_identifiers =", "quasi ="), "'quasi' is unknown. Did you mean 'quasi_identifiers'"),
        (
            "k = 3\n" + JOB.replace("k = 3", ""),
            "'k' is unknown. Privacy models are named in privacy, as in privacy = {k =",
        ),
        (JOB.replace('output = "release.csv"', ""), "'output' is missing"),
        (JOB.replace("k = 3", "kay = 3"), "no promise 'kay'"),
        (JOB.replace("k = 3", "k = 0"), "k must be at least 1, got 0"),
        (JOB.replace("k = 3", 'k = "many"'), "k must be a whole number"),
        (JOB.replace('"mask"', '"maks"'), "maks"),
        (JOB.replace("seed = 5", 'seed = "x"'), "'seed'"),
        (JOB.replace("seed = 5", "seed ="), "not valid TOML"),
        (JOB.replace('output = "release.csv"', 'output = "people.csv"'), "would overwrite"),
    ],
)
def test_a_bad_job_is_one_sentence_and_nothing_is_written(folder: Path, text: str, says: str) -> None:
    (folder / "job.toml").write_text(text)
    before = (folder / "people.csv").read_bytes()
    with pytest.raises(shoal.InputError, match=says) as caught:
        run_job(folder / "job.toml")
    assert "\n" not in str(caught.value)
    assert sorted(path.name for path in folder.iterdir()) == ["job.toml", "people.csv"]
    assert (folder / "people.csv").read_bytes() == before


def test_a_missing_job_file(tmp_path: Path) -> None:
    with pytest.raises(shoal.InputError, match="no job file"):
        read_job(tmp_path / "nothing.toml")


@pytest.mark.parametrize("output", ["output", "report", "explore"])
def test_no_output_overwrites_an_input_that_is_named_anywhere(folder: Path, output: str) -> None:
    (folder / "all.html").write_bytes((folder / "people.csv").read_bytes())
    (folder / "all.csv").write_bytes((folder / "people.csv").read_bytes())
    name = "all.html" if output == "report" else "all.csv"
    text = "\n".join(line for line in JOB.splitlines() if not line.startswith(f"{output} ="))
    said = f'{output} = "{name}"\npopulation = "{name}"\n'
    (folder / "job.toml").write_text(said + text)
    before = (folder / name).read_bytes()
    with pytest.raises(shoal.InputError, match="would overwrite"):
        run_job(folder / "job.toml")
    assert (folder / name).read_bytes() == before
