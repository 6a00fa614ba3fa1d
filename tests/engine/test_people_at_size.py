"""Large tables in which people have several rows, judged by their files alone, by code that imports nothing of ours."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
ROWS = [("a", 30, "flu"), ("b", 30, "cold"), ("c", 40, "flu"), ("c", 40, "cold"), ("d", 40, "flu"), ("d", 40, "flu")]


def judged(folder: Path, ages: list[int], linked: str, k: str, l: str, t: str) -> tuple[int, str]:  # noqa: E741
    """What the judge says of a release with these ages."""
    original = pl.DataFrame(ROWS, ["who", "age", "ill"], orient="row").with_row_index("row_number")
    original.write_csv(folder / "original.csv")
    original.with_columns(age=pl.Series(ages)).drop("who").write_csv(folder / "release.csv")
    files = [str(BENCHMARKS / "people_judge.py"), str(folder / "original.csv"), str(folder / "release.csv")]
    done = subprocess.run(
        [sys.executable, "-I", *files, linked, "who", "ill", k, l, t, "age"],
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout


@pytest.mark.parametrize(
    ("ages", "linked", "asked", "wrong"),
    [
        ([0] * 6, "rows", ("4", "2", "0.1"), ""),
        ([0] * 6, "rows", ("5", "1", "9"), "1 under 5 people"),
        ([30, 30, 40, 40, 40, 40], "rows", ("2", "2", "9"), "1 under 2 values"),  # both of the elder had the flu
        ([30, 30, 40, 40, 40, 40], "rows", ("2", "1", "0.2"), "2 farther than 0.2"),
        ([0] * 6, "histories", ("2", "1", "9"), ""),
        ([0] * 6, "histories", ("2", "2", "9"), "1 under 2 values"),  # both of those who came twice had the flu
        ([0] * 6, "histories", ("3", "1", "9"), "2 under 3 people"),  # two have one record, two have two
    ],
)  # fmt: skip
def test_the_judge_finds_what_is_wrong(
    ages: list[int], linked: str, asked: tuple[str, str, str], wrong: str, tmp_path: Path
) -> None:
    status, says = judged(tmp_path, ages, linked, *asked)
    assert status == (1 if wrong else 0), says
    assert wrong in says


@pytest.mark.nightly
def test_a_quarter_of_a_million_people_and_a_census(data_folder: Path) -> None:
    said = [sys.executable, str(BENCHMARKS / "people_judged.py"), str(data_folder / "datasets")]
    done = subprocess.run(said, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("0 under") == 12, done.stdout
