"""``shoal usefulness`` and the measures that one chooses."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.cli import main
from shoal.utility import CountQueries
from support.people import visits

pytestmark = pytest.mark.usefixtures("trials_here")


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    """A table, and a release of it, as files."""
    rng = np.random.default_rng(1)
    age = rng.integers(20, 60, 200)
    frame = pl.DataFrame({"age": age, "size": age // 7 + rng.integers(0, 4, 200), "sex": rng.choice(["f", "m"], 200)})
    original, release = str(tmp_path / "original.csv"), str(tmp_path / "release.csv")
    frame.write_csv(original)
    said = ["--quasi", "age,size,sex", "--k", "10", "-o", release, "--quiet", "--audit", "off"]
    assert main(["anonymize", original, *said]) == 0
    return original, release


def test_every_measure_as_the_library_has_it(files: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["usefulness", *files, "--quasi", "age,size,sex", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told == pytest.approx(shoal.usefulness(*files, quasi_identifiers=["age", "size", "sex"]))
    assert told["count-queries"] > 0


def test_the_original_has_no_errors(files: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["usefulness", files[0], files[0], "--quasi", "age,size,sex", "--json"]) == 0
    found = [value for value in json.loads(capsys.readouterr().out).values() if value is not None]
    assert found == pytest.approx([0.0] * len(found), abs=1e-12)


def test_dimensions_of_queries_are_chosen(files: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    chosen = ["--measure", "count-queries:dimensions=1", "--measure", "count-queries:dimensions=3"]
    assert main(["usefulness", *files, "--quasi", "age,size,sex", *chosen, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert list(told) == ["count-queries:dimensions=1", "count-queries:dimensions=3"]
    library = shoal.usefulness(*files, quasi_identifiers=["age", "size", "sex"], measures=[CountQueries(dimensions=3)])
    assert [*library.values()] == [told["count-queries:dimensions=3"]]
    assert told["count-queries:dimensions=1"] != told["count-queries:dimensions=3"]


def test_for_people_it_is_a_table(files: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["usefulness", *files, "--quasi", "age,size,sex", "--measure", "marginals"]) == 0
    printed = capsys.readouterr().out
    assert "marginals" in printed
    assert "pairs" not in printed


def test_forms_are_plotted(files: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = ["usefulness", *files, "--quasi", "age,size,sex", "--measure", "marginals", "--forms", "center,sampled"]
    assert main([*said, "--report", str(tmp_path / "useful.html")]) == 0
    printed = capsys.readouterr().out
    assert "quantiles" in printed
    page = (tmp_path / "useful.html").read_text()
    assert page.count("<svg") >= 3
    assert "sampled" in page
    assert main([*said, "--report", files[0]]) == 2
    assert main([*said, "--report", str(tmp_path / "useful.pdf")]) == 2


def test_numbers_of_people_are_compared_where_somebody_tells_whose_rows_they_are(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    frame = visits(400, seed=8, n_people=130)
    original, quasi = str(tmp_path / "visits.csv"), ["age", "zip"]
    frame.write_csv(original)
    words: dict[str, Any] = {
        "quasi_identifiers": quasi,
        "sensitive": ["illness"],
        "person": "who",
        "quick": True,
        "audit": "off",
    }
    histories = {"linked": "histories", "publish_person": "pseudonym", "suppression_limit": 0.5}
    for linked, more in (("rows", words), ("histories", words | histories)):
        made = shoal.anonymize(frame, privacy={"k": 4}, **more)
        made.write(release := str(tmp_path / f"{linked}.csv"))
        assert main(["usefulness", original, release, "--quasi", "age,zip", "--person", "who", "--json"]) == 0
        told = json.loads(capsys.readouterr().out)
        assert told == pytest.approx(made.usefulness())
        assert told == pytest.approx(shoal.usefulness(original, release, quasi_identifiers=quasi, person="who"))
        assert "people-queries" not in shoal.usefulness(original, release, quasi_identifiers=quasi)
    untold = shoal.usefulness(frame, made.frame.drop("who"), quasi_identifiers=quasi, person="who")
    assert 0 < told["people-queries"] < untold["people-queries"]  # pseudonyms tell which records are one person's
    assert main(["usefulness", original, original, "--quasi", "age,zip", "--person", "who", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["people-queries"] == pytest.approx(0)


def test_people_are_not_counted_by_a_column_that_is_not_there_or_has_another_role(
    files: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    for said, why in (
        (["--measure", "people-queries"], "name the column that identifies the person of each row"),
        (["--person", "agee"], "The original has no column 'agee'. Did you mean 'age'"),
        (["--person", "age"], "'age' is named as quasi-identifier and as person; choose one role"),
    ):
        assert main(["usefulness", *files, "--quasi", "age", *said]) == 2
        assert why in " ".join(capsys.readouterr().err.split())
    assert main(["compare", files[0], "--quasi", "age", "--k", "3", "--measure", "people-queries"]) == 2


@pytest.mark.parametrize("measure", ["cuont-queries", "marginals:dimensions=2"])
def test_what_is_no_measure_is_refused(
    files: tuple[str, str], capsys: pytest.CaptureFixture[str], measure: str
) -> None:
    assert main(["usefulness", *files, "--quasi", "age", "--measure", measure]) == 2
    assert "measure" in capsys.readouterr().err
    assert main(["compare", files[0], "--quasi", "age", "--k", "3", "--measure", measure]) == 2


def test_compare_takes_measures_too(files: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    said = [
        "--quasi",
        "age,size,sex",
        "--k",
        "5",
        "--algorithms",
        "mondrian",
        "--measure",
        "count-queries:dimensions=1",
    ]
    assert main(["compare", files[0], *said, "--json"]) == 0
    assert list(json.loads(capsys.readouterr().out)[0]["utility"]) == ["count-queries:dimensions=1"]
