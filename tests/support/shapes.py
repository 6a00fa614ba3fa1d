"""The tables that break things, by name: every algorithm meets them with every promise."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from shoal.core.hierarchy import Hierarchy
from shoal.core.table import Table
from support.tables import coded

ILLNESSES = ["flu", "HIV", "cold", "gout"]


def _people(quasi: dict[str, Sequence[object]], **schema: Any) -> Table:
    """These quasi-identifiers, with a name, an illness and a note for each row."""
    n = len(next(iter(quasi.values())))
    columns: dict[str, Sequence[object]] = {"name": [f"person {row}" for row in range(n)]}
    columns |= quasi
    columns |= {"illness": [ILLNESSES[row % 4] for row in range(n)], "note": [f"note {row}" for row in range(n)]}
    return coded(columns, [*quasi], identifiers=("name",), sensitive=("illness",), others=("note",), **schema)


def _one_row() -> Table:
    return _people({"age": [30], "town": ["Rome"]})


def _all_equal() -> Table:
    return _people({"age": [30] * 12, "town": ["Rome"] * 12})


def _all_distinct() -> Table:
    return _people({"age": list(range(12)), "town": [f"town {row * 5 % 12}" for row in range(12)]})


def _one_column() -> Table:
    return _people({"age": [1, 1, 2, 3, 3, 3, 9, 9]})


def _missing_values() -> Table:
    ages = [1, None, 2, None, 3, 4, None, 5, 6, 7]
    towns = [None, "a", "b", None, "a", "a", None, "b", "c", None]
    tree = Hierarchy.from_dict({"north": ["a", "b"], "south": {"coast": ["c", "d"]}})
    return _people({"age": ages, "town": towns, "job": towns}, hierarchies={"town": tree})


def _heavy_skew() -> Table:
    ages = [30] * 36 + [0, 99, 1000, 5]
    return _people({"age": ages, "town": ["Rome"] * 39 + ["Oslo"], "sex": ["f"] * 38 + ["m"] * 2})


def _deep_hierarchy() -> Table:
    tree = Hierarchy.from_dict({"a": {"aa": {"aaa": ["1", "2"], "aab": ["3"]}, "ab": ["4"]}, "b": ["5", "6"]})
    towns = ["1", "2", "3", "4", "5", "6", "1", "1", "2", "5", "3", "3"]
    return _people({"town": towns, "age": [row * row for row in range(12)]}, hierarchies={"town": tree})


def _every_kind() -> Table:
    days = [f"2024-02-{day:02}" for day in (1, 1, 2, 28, 29, 29, 3, 4, 5, 6)]
    grades = ["low", "high", "mid", "low", "low", "high", "mid", "mid", "low", "high"]
    letters = list("abcdabcdee")
    return _people(
        {"born": days, "grade": grades, "blood": letters, "code": letters, "x": [0.5 * row for row in range(10)]},
        orders={"grade": ["low", "mid", "high"]},
        recodings={"code": "suppress"},
        weights={"x": 3.0, "blood": 0.5},
    )


SHAPES: dict[str, Callable[[], Table]] = {
    "one row": _one_row,
    "all equal": _all_equal,
    "all distinct": _all_distinct,
    "one column": _one_column,
    "missing values": _missing_values,
    "heavy skew": _heavy_skew,
    "deep hierarchy": _deep_hierarchy,
    "every kind": _every_kind,
}
"""By name, made afresh on every call."""
