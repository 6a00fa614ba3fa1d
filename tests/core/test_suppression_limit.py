"""How many rows a limit is: exact, in one place, and as a number where one is said."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import shoal
from shoal.core.contracts import Goal
from shoal.core.suppression_limit import parse_limit, rows_allowed
from shoal.errors import InputError
from shoal.metrics import LM


@given(rows=st.integers(0, 5000), n_rows=st.integers(1, 5000))
def test_a_share_worked_out_from_a_number_of_rows_is_that_number(rows: int, n_rows: int) -> None:
    rows = min(rows, n_rows)
    assert rows_allowed(rows / n_rows, n_rows) == rows


@given(hundredths=st.integers(0, 100), n_rows=st.integers(1, 100_000))
def test_a_share_as_people_write_it_is_taken_exactly(hundredths: int, n_rows: int) -> None:
    exact = int(Fraction(hundredths, 100) * n_rows)
    assert rows_allowed(hundredths / 100, n_rows) == exact
    assert rows_allowed(parse_limit(f"{hundredths}%"), n_rows) == exact
    assert rows_allowed(parse_limit(f"0.{hundredths:02}" if hundredths < 100 else "1"), n_rows) == exact


@given(rows=st.integers(0, 100), sizes=st.lists(st.integers(1, 60), min_size=1, max_size=8))
def test_parts_of_a_table_together_leave_out_no_more_than_the_whole_may(rows: int, sizes: list[int]) -> None:
    for limit in (f"{rows} rows", rows / 100):
        goal = Goal((shoal.KAnonymity(2),), LM(), limit)
        parts = goal.for_parts(sum(sizes))
        assert sum(parts.most_suppressed(size) for size in sizes) <= goal.most_suppressed(sum(sizes))


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("29 rows", "29 rows"),
        (" 1 row ", "1 rows"),
        ("0 rows", 0.0),
        ("5%", 0.05),
        ("0.5 %", 0.005),
        ("0.05", 0.05),
        (1, 1.0),
    ],
)
def test_limits_may_be_said_in_several_ways(said: object, meant: float | str) -> None:
    assert parse_limit(said) == meant


@pytest.mark.parametrize("said", ["many", "rows", "-1 rows", "1.5 rows", "120%", "%", -0.1, 29, True, None, "nan"])
def test_what_is_no_limit_is_refused_in_a_sentence(said: object) -> None:
    with pytest.raises(InputError, match=r"suppression_limit.*\.$"):
        parse_limit(said)


def test_a_number_beyond_one_is_answered_with_how_to_say_it() -> None:
    with pytest.raises(InputError, match="write '29 rows' for a number of rows, or '29%'"):
        parse_limit(29)


UNIQUES = pl.DataFrame({"q": [f"u{row}" for row in range(29)] + ["a"] * 40 + ["b"] * 31})


@pytest.mark.parametrize("limit", [0.29, "29%", "29 rows"])
@pytest.mark.parametrize(
    "algorithm", ["lattice", "samarati", "k-optimize", "patterns:never=q,outliers=no", "incognito"]
)
def test_as_many_rows_are_left_out_as_the_limit_says(limit: float | str, algorithm: str) -> None:
    words: dict[str, Any] = {
        "quasi_identifiers": ["q"],
        "privacy": shoal.KAnonymity(2),
        "algorithm": algorithm,
        "audit": "off",
    }
    result = shoal.anonymize(UNIQUES, recodings={"q": "suppress"}, suppression_limit=limit, **words)
    assert sorted(result.frame["q"]) == ["a"] * 40 + ["b"] * 31
    assert result.metrics()["lm"] == pytest.approx(0.29)


def test_blocks_share_a_number_of_rows() -> None:
    frame = pl.DataFrame({"q": [*range(60), *[7] * 60], "z": [row % 2 for row in range(120)]})
    words: dict[str, Any] = {"quasi_identifiers": ["q", "z"], "privacy": shoal.KAnonymity(2), "audit": "off", "seed": 1}
    blocked = {"name": "blocked", "inner": "lattice", "rows": 30}
    result = shoal.anonymize(frame, algorithm=blocked, suppression_limit="10 rows", **words)
    assert result.release.n_suppressed <= 10
