"""Rows as a grid asks for them: in order, filtered, a piece at a time."""

from __future__ import annotations

import polars as pl
import pytest

from shoal.engine.table_page import MOST, RowOrder, TablePages
from shoal.errors import InputError

FRAME = pl.DataFrame({"age": [31, None, 9, 100], "town": ["Bonn", "Aachen", "Köln", "bonn"]})


def rows(order: RowOrder, start: int = 0, n: int = 10) -> list[tuple[object, ...]]:
    return TablePages(FRAME).page(start, n, order)[0].rows()


def test_numbers_are_sorted_as_numbers_and_missing_values_come_last() -> None:
    assert [age for age, _ in rows(RowOrder("age"))] == [9, 31, 100, None]
    assert [age for age, _ in rows(RowOrder("age", descending=True))] == [100, 31, 9, None]


def test_texts_that_are_numbers_are_sorted_as_numbers() -> None:
    texts = TablePages(pl.DataFrame({"a": ["10", "9", None, "-3"], "b": ["10", "9", "x", "-3"]}))
    assert texts.page(0, 9, RowOrder("a"))[0]["a"].to_list() == ["-3", "9", "10", None]
    assert texts.page(0, 9, RowOrder("b"))[0]["b"].to_list() == ["-3", "10", "9", "x"]


def test_filters_are_plain_texts_whatever_their_case() -> None:
    assert [town for _, town in rows(RowOrder(filters={"town": "BON"}))] == ["Bonn", "bonn"]
    assert rows(RowOrder(filters={"town": "."})) == []
    assert rows(RowOrder(filters={"town": "bonn", "age": "10"})) == [(100, "bonn")]


def test_a_piece_comes_with_the_number_of_all_and_is_never_too_large() -> None:
    long = TablePages(pl.DataFrame({"a": range(2_000)}))
    found, n = long.page(10, 5, RowOrder("a", descending=True))
    assert (found["a"].to_list(), n) == ([1989, 1988, 1987, 1986, 1985], 2_000)
    assert long.page(0, 2_000, RowOrder())[0].height == MOST
    assert long.page(5_000, 5, RowOrder())[0].height == 0


def test_an_unknown_column_is_refused_in_a_sentence() -> None:
    with pytest.raises(InputError, match="no column 'twon'"):
        rows(RowOrder("twon"))
    with pytest.raises(InputError, match="no column 'x'"):
        rows(RowOrder(filters={"x": "1"}))
