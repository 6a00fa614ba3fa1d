"""What a page shows while a slider moves is what the quick algorithm makes of the table."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from shoal.engine import preview as module
from shoal.engine.anonymizing import anonymize
from shoal.engine.desk import Desk
from shoal.engine.job import Job
from shoal.errors import InputError

ROLES = {"quasi_identifiers": ["age", "sex"], "sensitive": ["disease"]}


@pytest.fixture
def table(tmp_path: Path) -> Path:
    frame = pl.DataFrame(
        {
            "age": [20 + i % 40 for i in range(200)],
            "sex": ["FM"[i % 2] for i in range(200)],
            "disease": [["flu", "cold", "HIV"][i % 3] for i in range(200)],
        }
    )
    frame.write_csv(tmp_path / "people.csv")
    return tmp_path / "people.csv"


def job(**words: object) -> Job:
    return Job.said({"input": "people.csv", "output": "release.csv", **ROLES, **words}, "The job")


@pytest.mark.parametrize("k", [2, 9, 40])
def test_the_preview_is_the_quick_release(table: Path, k: int) -> None:
    shown = Desk(table, table.parent).preview(job(privacy={"k": k}, audit="thorough", budget="60s"))
    made = anonymize(table, privacy={"k": k}, quick=True, audit="off", seed=20, **ROLES)  # type: ignore[arg-type]
    assert shown["loss"] == pytest.approx(made.losses()["lm"])
    assert shown["highest_risk"] <= 1 / k
    assert (shown["n_rows"], shown["n_all"]) == (200, 200)
    assert [len(pair) for pair in shown["pairs"]] == [2] * len(shown["pairs"])
    assert all(len(before) == 2 for before, _ in shown["pairs"])


def test_the_same_rows_are_shown_whatever_k_is(table: Path) -> None:
    desk = Desk(table, table.parent)
    rows = [[before for before, _ in desk.preview(job(privacy={"k": k}))["pairs"]] for k in (2, 30)]
    assert rows[0] == rows[1]


def test_a_large_table_is_looked_at_by_a_sample_and_that_is_said(table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_ROWS", 50)
    shown = Desk(table, table.parent).preview(job(privacy={"k": 5}))
    assert (shown["n_rows"], shown["n_all"]) == (50, 200)


def test_what_cannot_be_kept_is_said(table: Path) -> None:
    desk = Desk(table, table.parent)
    with pytest.raises(InputError, match="k = 300 needs at least 300 rows"):
        desk.preview(job(privacy={"k": 300}))
    found = desk.possible(job(privacy={"k": 300, "l": 2}))
    assert found["against"][0].startswith("k = 300 needs")
    assert found["against"][1] == ""
    assert found["sensitive"] == ["disease"]
    assert len(found["texts"]) == 3
