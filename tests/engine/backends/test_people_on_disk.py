"""Within a memory limit people are counted too: by the written file and the original keys."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

import shoal
from shoal.cli import main
from shoal.engine.backends.written_file import check_file
from support.people import visits
from support.people_judge import ROW, judge

QUASI = ["age", "zip"]


def prepared(folder: Path, n_rows: int = 3_000) -> Path:
    frame = visits(n_rows, seed=4, n_people=n_rows // 3).with_row_index(ROW)
    keyed = frame.with_columns(who=pl.when(pl.col(ROW) % 97 > 0).then("who"))
    keyed.write_csv(folder / "visits.csv")
    return folder / "visits.csv"


@pytest.mark.parametrize("ending", [".csv", ".parquet"])
def test_every_class_of_the_written_file_has_k_people(ending: str, tmp_path: Path) -> None:
    source, target = prepared(tmp_path), tmp_path / f"release{ending}"
    said = ["--quasi", "age,zip", "--sensitive", "illness", "--others", ROW, "--person", "who", "--k", "4", "-q"]
    assert main(["anonymize", str(source), *said, "--memory", "1GiB", "-o", str(target)]) == 0
    if ending == ".parquet":
        pl.read_parquet(target).write_csv(tmp_path / "release.csv")
    found = judge(tmp_path / "release.csv", source, QUASI, "who", "illness")
    assert found.fewest_people >= 4
    assert found.n_records == 3_000
    assert "who" not in found.columns
    assert not list(tmp_path.glob("**/keys.parquet"))


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ({"privacy": {"k": 3, "l": 2}}, "with all rows in memory"),
        ({"privacy": {"k": 3}, "algorithm": "lattice"}, "people counted needs all rows"),
        ({"privacy": {"k": 3}, "linked": "histories"}, "linked"),
    ],
)
def test_what_needs_all_rows_says_so(said: dict[str, Any], why: str, tmp_path: Path) -> None:
    source = prepared(tmp_path, 300)
    with pytest.raises(shoal.InputError, match=why):
        shoal.anonymize_file(
            source, tmp_path / "release.csv", memory="1GiB", quasi_identifiers=QUASI, sensitive=["illness"],
            others=[ROW], person="who", **said,
        )  # fmt: skip
    assert not (tmp_path / "release.csv").exists()


def test_the_check_of_the_file_counts_people(tmp_path: Path) -> None:
    class Places:
        order = ("q",)
        quasi = (type("Column", (), {"name": "q"}),)

    pl.DataFrame({"q": ["a", "a", "b", "b"]}).write_csv(tmp_path / "release.csv")
    pl.DataFrame({"key": ["x", "y", "x", "x"]}).write_parquet(tmp_path / "keys.parquet")
    with pytest.raises(shoal.BrokenPromise, match=r"2-anonymity \(people counted\) DOES NOT HOLD: achieved 1"):
        check_file(
            tmp_path / "release.csv", ".csv", Places(), [shoal.KAnonymity(2).of_people()], tmp_path / "keys.parquet"
        )  # type: ignore[arg-type]
