"""Rows beside their records: each with its own, classes counted, nothing of the identifiers."""

from __future__ import annotations

import polars as pl
import pytest

import shoal
from shoal.engine.compared_rows import AFTER, BEFORE, CLASS, ROW, SIZE, SUPPRESSED, compared_rows, side
from shoal.engine.result import Result

FRAME = pl.DataFrame(
    {
        "name": [f"person {number}" for number in range(9)],
        "age": [20, 21, 22, 40, 41, 42, 60, 61, 99],
        "sex": ["f", "m", None, "m", "m", "m", "f", "f", "m"],
        "illness": ["a", "b", "c", "a", "b", "c", "a", "b", "z"],
    }
)


@pytest.fixture(scope="module")
def made() -> Result:
    return shoal.anonymize(
        FRAME,
        identifiers=["name"],
        quasi_identifiers=["age", "sex"],
        sensitive=["illness"],
        privacy=shoal.KAnonymity(2),
        suppression_limit=0.2,
        quick=True,
        seed=4,
    )


def test_each_row_stands_beside_its_own_record(made: Result) -> None:
    found = compared_rows(made.release).sort(ROW)
    assert found[ROW].to_list() == list(range(1, 10))
    assert found[BEFORE + "age"].to_list() == [str(age) for age in FRAME["age"]]
    assert found[BEFORE + "illness"].to_list() == FRAME["illness"].to_list()
    kept = found.filter(pl.col(CLASS).is_not_null())
    assert kept[AFTER + "illness"].to_list() == kept[BEFORE + "illness"].to_list()
    assert kept.height == made.release.n_records
    published = made.frame.group_by("age", "sex").len().rows()
    beside = kept.group_by(AFTER + "age", AFTER + "sex").len().rows()
    assert {(str(a), str(s or "(missing)"), n) for a, s, n in published} == {(a, str(s), n) for a, s, n in beside}


def test_classes_are_counted_and_the_smallest_come_first(made: Result) -> None:
    found = compared_rows(made.release)
    kept = found.filter(pl.col(CLASS).is_not_null())
    for (number,), rows in kept.group_by(CLASS):
        assert rows[SIZE].to_list() == [rows.height] * rows.height, number
        assert rows.select(AFTER + "age", AFTER + "sex").n_unique() == 1
    assert kept[SIZE].is_sorted()


def test_no_identifier_is_in_it(made: Result) -> None:
    found = compared_rows(made.release)
    assert not any("name" in column for column in found.columns)
    assert "person" not in found.write_csv()


def test_a_side_marks_what_was_changed_and_what_is_gone(made: Result) -> None:
    found = compared_rows(made.release)
    before, after = side(found, BEFORE), side(found, AFTER)
    for row, ours, theirs in zip(found.iter_rows(named=True), before, after, strict=True):
        is_gone = row[CLASS] is None
        assert theirs["cells"][2:] == [SUPPRESSED if is_gone else row[AFTER + n] for n in ("age", "sex", "illness")]
        marks = [
            "gone" if is_gone else "changed" * (row[BEFORE + n] != row[AFTER + n]) for n in ("age", "sex", "illness")
        ]
        assert (ours["marks"][1:], theirs["marks"][2:]) == (marks, marks)
        assert (ours["tone"] is None) == is_gone


def test_the_sensitive_values_of_buckets_are_told_by_the_bucket_alone() -> None:
    made = shoal.anonymize(
        FRAME.drop("name"),
        quasi_identifiers=["age", "sex"],
        sensitive=["illness"],
        privacy=shoal.LDiversity(2),
        algorithm="anatomy",
        seed=1,
    )
    told = compared_rows(made.release).filter(pl.col(CLASS).is_not_null())[AFTER + "illness"]
    assert told.str.starts_with("bucket ").all()
