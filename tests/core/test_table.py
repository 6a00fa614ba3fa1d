"""The coded table: distinct rows, sensitive columns, and no identifiers."""

from __future__ import annotations

from collections import Counter

from hypothesis import given

from shoal.core.table import Table
from support.strategies import tables
from support.tables import coded


@given(tables())
def test_distinct_rows(table: Table) -> None:
    rows = list(zip(*table.codes.tolist(), strict=True))
    distinct, counts = table.distinct, Counter(rows)
    assert [rows[first] for first in distinct.firsts.tolist()] == list(counts)
    assert distinct.weights.tolist() == list(counts.values())
    assert [list(counts)[number] for number in distinct.ids.tolist()] == rows


@given(tables())
def test_codes_stand_for_the_values(table: Table) -> None:
    for column in table.sensitive:
        assert [column.domain.values[code] for code in column.codes.tolist()] == table.passengers[column.name].to_list()


def test_shape() -> None:
    table = coded({"a": [1, 2, 3], "b": ["x", "y", "x"], "s": [0, 0, 1]}, ["b", "a"], sensitive=("s",))
    assert (table.n_rows, table.n_quasi) == (3, 2)
    assert [column.name for column in table.quasi] == ["b", "a"]
    assert table.order == ("a", "b", "s")


def test_identifiers_are_not_even_loaded() -> None:
    table = coded({"name": ["Ann", "Bob"], "a": [1, 2], "note": ["x", "y"]}, ["a"], identifiers=("name",))
    assert "Ann" not in repr(table)
    assert table.order == ("a", "note")
