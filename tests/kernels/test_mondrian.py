"""Mondrian's kernels against cutting one group at a time in plain Python."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from naive import models as twins
from naive.mondrian import partition
from naive.plain import people_of
from shoal.algorithms import Mondrian, mondrian
from shoal.core.contracts import Goal
from shoal.core.domain import Domain
from shoal.core.hierarchy import Hierarchy
from shoal.core.progress import Silent
from shoal.core.recoding import Range, Recoding, Sets
from shoal.core.table import QuasiColumn, Table
from shoal.models import KAnonymity, LDiversity
from support.strategies import tables
from support.tables import goal_of, sets_of_rows, single

both_variants = pytest.mark.parametrize("relaxed", [False, True], ids=["strict", "relaxed"])


def _compare(table: Table, goal: Goal, relaxed: bool) -> None:
    """The same groups, whatever their order."""
    people = people_of(table)

    def accepts(rows: Sequence[int]) -> bool:
        members = [people[row] for row in rows]
        return all(twins.TWINS[p.name](p, members, people) >= twins.WANTED[p.name](p) for p in goal.promises)

    wanted = {frozenset(rows) for rows in partition(table, goal.floor, accepts, relaxed)}
    assert sets_of_rows(Mondrian(relaxed).partition(table, goal, Silent())) == wanted


@both_variants
@given(table=tables(), k=st.integers(1, 6))
def test_sizes_only(relaxed: bool, table: Table, k: int) -> None:
    _compare(table, goal_of(KAnonymity(min(k, table.n_rows))), relaxed)


@both_variants
@given(table=tables(), k=st.integers(1, 4), l=st.integers(1, 3))
def test_with_cuts_that_are_refused(relaxed: bool, table: Table, k: int, l: int) -> None:  # noqa: E741
    values = min(len(set(column.codes.tolist())) for column in table.sensitive)
    _compare(table, goal_of(KAnonymity(min(k, table.n_rows)), LDiversity(min(l, values))), relaxed)


@cache
def _large(n_values: int, recoding: type[Range | Sets]) -> Recoding:
    """A column of many values, most of which no row has."""
    texts = tuple(map(str, range(n_values)))
    values = pl.Series("q", texts)
    return recoding(
        Domain("q", "ordinal", texts, values, np.arange(n_values, dtype=np.float64), np.zeros(n_values, np.int64))
    )


def _spread_out(draw: st.DrawFn, n_values: int, n_rows: int) -> list[int]:
    """Codes from both ends and the middle, so that a type that is too small would show."""
    near = st.integers(0, min(6, n_values - 1))
    code = st.one_of(near, near.map(lambda code: n_values - 1 - code), st.integers(0, n_values - 1))
    return draw(st.lists(code, min_size=n_rows, max_size=n_rows))


@st.composite
def large_tables(draw: st.DrawFn, n_values: int) -> Table:
    n_rows = draw(st.integers(1, 30))
    recodings = [_large(n_values, draw(st.sampled_from([Range, Sets]))), _large(7, Range)]
    codes = [_spread_out(draw, recoding.domain.n_leaves, n_rows) for recoding in recodings]
    quasi = tuple(QuasiColumn(recoding.domain, recoding) for recoding in recodings)
    return Table(quasi, np.array(codes, np.int32))


@both_variants
@pytest.mark.parametrize("n_values", [255, 256, 257, 65_535, 65_536, 65_537])
@given(data=st.data(), k=st.integers(1, 5))
def test_domains_at_the_edge_of_a_type(relaxed: bool, n_values: int, data: st.DataObject, k: int) -> None:
    table = data.draw(large_tables(n_values))
    _compare(table, goal_of(KAnonymity(min(k, table.n_rows))), relaxed)


@both_variants
@given(codes=st.lists(st.integers(0, 299), min_size=3, max_size=30), k=st.integers(1, 3))
def test_a_large_hierarchy(relaxed: bool, codes: list[int], k: int) -> None:
    """300 leaves do not fit into a byte, and the cuts follow their nodes."""
    tree = Hierarchy.from_rows([[f"{leaf}", f"{leaf // 10}x", f"{leaf // 100}xx", "*"] for leaf in range(300)])
    table = single([f"{code}" for code in codes], hierarchies={"q": tree})
    _compare(table, goal_of(KAnonymity(k)), relaxed)


@both_variants
def test_two_threads_cut_like_one(relaxed: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    codes = [[row * 7 % 31 for row in range(400)], [row * row % 13 for row in range(400)]]
    quasi = tuple(QuasiColumn(_large(n, Range).domain, _large(n, Range)) for n in (31, 13))
    table, goal = Table(quasi, np.array(codes, np.int32)), goal_of(KAnonymity(3))
    alone = sets_of_rows(Mondrian(relaxed).partition(table, goal, Silent()))
    monkeypatch.setattr(mondrian, "_WORTH_A_THREAD", 10)
    assert sets_of_rows(Mondrian(relaxed).partition(table, goal, Silent())) == alone


@given(st.integers(1, 12), st.data())
def test_outward_visits_everything_once_and_never_nearer_than_before(n: int, data: st.DataObject) -> None:
    from shoal.kernels.mondrian import _outward

    middle = data.draw(st.integers(0, n - 1))
    visited = [_outward(step, middle, n) for step in range(n)]
    assert sorted(visited) == list(range(n))
    distances = [abs(place - middle) for place in visited]
    assert distances == sorted(distances)
