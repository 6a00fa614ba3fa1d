"""Parts of a sorted table against figure 8 as it is written."""

from __future__ import annotations

from typing import Any, get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from naive import assignment as naive
from shoal.algorithms import Lexicographic, NonHomogeneous
from shoal.algorithms.nonhomogeneous import along_curve, sorted_inside
from shoal.core.orders import Parting, columns_by_size, curve_order, lexicographic_order, lexicographic_parts
from shoal.core.table import Table
from shoal.errors import InputError
from shoal.kernels.rings import part_sorted, ring_edges
from support.strategies import tables
from support.tables import coded, groups_of, lists_of


@given(st.integers(1, 3), st.integers(1, 40), st.booleans(), st.data())
def test_parts_are_those_of_the_twin(n_columns: int, n: int, as_published: bool, data: st.DataObject) -> None:
    rows = sorted(data.draw(st.lists(st.tuples(*[st.integers(0, 3)] * n_columns), min_size=n, max_size=n)))
    k = data.draw(st.integers(1, n))
    found = part_sorted(np.array(rows, np.int32).T.copy(), k, as_published)
    assert np.diff(found).tolist() == naive.lexicographic_parts(rows, k, as_published)


@given(tables(), st.data())
def test_every_row_is_in_one_part_of_k_rows(table: Table, data: st.DataObject) -> None:
    k = data.draw(st.integers(1, table.n_rows))
    for parts in (*(lexicographic_parts(table, k, how) for how in get_args(Parting)), along_curve(table, k)):
        assert sorted(parts.members.tolist()) == list(range(table.n_rows))
        assert parts.sizes.min() >= k


def test_a_column_that_does_not_split_a_part_ends_it_as_published() -> None:
    """The two columns say the same, so the second never splits, and the third is never looked at."""
    rows: dict[str, list[Any]] = {
        "number": [1] * 4 + [2] * 4,
        "word": list("aaaabbbb"),
        "age": [1, 1, 2, 2, 3, 3, 4, 4],
    }
    table = coded(rows, [*rows])
    assert lexicographic_parts(table, 2, "published").sizes.tolist() == [4, 4]
    assert lexicographic_parts(table, 2).sizes.tolist() == [2, 2, 2, 2]


def test_a_small_part_looks_at_the_next_one_as_published() -> None:
    table = coded({"q": [0] * 9 + [1] + [2] * 3 + [3]}, ["q"])
    assert lexicographic_parts(table, 2, "published").sizes.tolist() == [9, 2, 3]
    assert lexicographic_parts(table, 2).sizes.tolist() == [8, 2, 2, 2]


@pytest.mark.parametrize("said", [Lexicographic, NonHomogeneous])
def test_a_way_of_parting_that_is_none_is_refused(said: type[Lexicographic | NonHomogeneous]) -> None:
    with pytest.raises(InputError, match="parting must be 'finest' or 'published', got 'coarse'"):
        said(parting="coarse")  # type: ignore[arg-type]


def test_parting_goes_with_the_lexicographic_partition() -> None:
    with pytest.raises(InputError, match="goes with partition='lexicographic'"):
        NonHomogeneous("curve", "published")


@given(tables())
def test_lexicographic_order(table: Table) -> None:
    order = lexicographic_order(table)
    keys = [tuple(table.codes[columns_by_size(table), row].tolist()) for row in order]
    assert keys == sorted(keys)


def test_columns_with_few_values_come_first() -> None:
    table = coded({"day": list(range(6)), "sex": list("fmfmfm"), "town": list("aabbcc")}, ["day", "sex", "town"])
    assert columns_by_size(table) == [1, 2, 0]


def test_many_large_columns_can_be_sorted() -> None:
    """Where the product of the domains is beyond 64 bits."""
    names = [f"q{j}" for j in range(9)]
    table = coded({name: [(row * 7919 + j) % 300 for row in range(300)] for j, name in enumerate(names)}, names)
    keys = [tuple(table.codes[columns_by_size(table), row].tolist()) for row in lexicographic_order(table)]
    assert keys == sorted(keys)


def test_a_curve_visits_neighbours() -> None:
    table = coded({"x": [i // 8 for i in range(64)], "y": [i % 8 for i in range(64)]}, ["x", "y"])
    places = table.codes[:, curve_order(table)]
    assert np.abs(np.diff(places, axis=1)).sum(axis=0).max() == 1


def test_classes_keep_their_rows_and_are_sorted() -> None:
    table = coded({"q": [3, 1, 2, 0]}, ["q"])
    assert lists_of(sorted_inside(table, groups_of([[0, 1], [2, 3]]))) == [[1, 0], [3, 2]]


@pytest.mark.parametrize(("n", "k"), [(1, 1), (3, 3), (5, 3), (7, 2)])
def test_ring_edges_are_those_of_the_twin(n: int, k: int) -> None:
    assert ring_edges(np.array([0, n], np.int64), k).tolist() == naive.ring(n, k)
