"""What has to be answered before a release leaves: attacks that succeed, exact dates, values that name people."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta

import polars as pl

import shoal
from shoal.engine.release_findings import ReleaseFinding, findings

N = 24
ROLES = {"quasi_identifiers": ["age"], "privacy": shoal.KAnonymity(4), "quick": True, "seed": 1}


def table(**more: Sequence[object]) -> pl.DataFrame:
    return pl.DataFrame({"age": [30 + i // 4 for i in range(N)], "ill": ["abcd"[i % 4] for i in range(N)], **more})


def keys(frame: pl.DataFrame, **roles: object) -> list[str]:
    made = shoal.anonymize(frame, **{**ROLES, "sensitive": ["ill"], **roles})  # type: ignore[arg-type]
    return [found["key"] for found in findings(made)]


def test_a_release_that_withstands_has_nothing_to_answer_for() -> None:
    assert keys(table()) == []


def test_an_attack_that_succeeds_comes_with_what_stops_it() -> None:
    frame = table().with_columns(ill=pl.Series(["x" if i < 4 else "abcd"[i % 4] for i in range(N)]))
    made = shoal.anonymize(frame, **ROLES, sensitive=["ill"])  # type: ignore[arg-type]
    found = {one["key"]: ReleaseFinding.of(one) for one in findings(made)}
    assert found["homogeneity:ill"].promises[0] == ("l", "2")
    assert "ill" in found["homogeneity:ill"].sentence


def test_exact_dates_are_found_in_columns_of_every_role() -> None:
    days = [date(2020, 1, 1) + timedelta(days=i % 4) for i in range(N)]
    assert "dates:seen" in keys(table(seen=days), others=["seen"])
    assert "dates:seen" in keys(table(seen=days), sensitive=["ill", "seen"])
    assert "dates:seen" in keys(table(seen=[f"{d:%m/%d/%Y}" for d in days]), others=["seen"])
    assert "dates:seen" in keys(table(seen=days), quasi_identifiers=["age", "seen"], privacy=shoal.KAnonymity(1))
    assert "dates:seen" not in keys(table(seen=days), others=["seen"], bands={"seen": "year"})


def test_phone_numbers_in_texts_are_found_in_columns_of_every_role() -> None:
    notes = [f"Seen on the ward, call 555-123-{4000 + i} about results of visit {i}" for i in range(N)]
    assert "as-is:" in keys(table(notes=notes), others=["notes"])
    assert "as-is:" in keys(table(notes=notes), sensitive=["ill", "notes"])
    assert "as-is:" in keys(table(notes=notes), quasi_identifiers=["age", "notes"])


def test_a_release_that_nobody_attacked_has_that_to_answer_for() -> None:
    assert keys(table(), audit="off") == ["audit"]
