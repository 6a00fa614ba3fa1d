"""Groups and what is in them against lists and sets."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from naive import kernels as naive
from shoal.kernels.grouping import count_distinct, extremes, members_of, sets_of
from support.tables import groups_of


class Case(NamedTuple):
    """Codes of rows, and lists of rows, which may overlap."""

    codes: list[int]
    lists: list[list[int]]
    n_values: int


@st.composite
def cases(draw: st.DrawFn) -> Case:
    n_values = draw(st.sampled_from([1, 3, 40, 300, 70_000]))
    codes = draw(st.lists(st.integers(0, n_values - 1), min_size=1, max_size=30))
    row = st.integers(0, len(codes) - 1)
    return Case(codes, draw(st.lists(st.lists(row, min_size=1, max_size=12), max_size=8)), n_values)


@given(st.integers(1, 6).flatmap(lambda n: st.tuples(st.lists(st.integers(0, n - 1), max_size=40), st.just(n))))
def test_members_of(case: tuple[list[int], int]) -> None:
    ids, n_groups = case
    offsets, members = members_of(np.array(ids, np.int32), n_groups)
    wanted = groups_of(naive.members_of(ids, n_groups))
    assert (offsets.tolist(), members.tolist()) == (wanted.offsets.tolist(), wanted.members.tolist())


@given(cases())
def test_extremes(case: Case) -> None:
    groups = groups_of(case.lists)
    low, high = extremes(groups.offsets, groups.members, np.array(case.codes, np.int32))
    assert (low.tolist(), high.tolist()) == naive.extremes(case.lists, case.codes)


@given(cases(), st.data())
def test_count_distinct(case: Case, data: st.DataObject) -> None:
    lists = [*case.lists, *data.draw(st.sampled_from([[], [[]]]))]
    groups = groups_of(lists)
    counts = count_distinct(groups.offsets, groups.members, np.array(case.codes, np.int32), case.n_values)
    assert counts.tolist() == naive.count_distinct(lists, case.codes)


@given(cases(), st.data())
def test_sets_of(case: Case, data: st.DataObject) -> None:
    lists = [*data.draw(st.sampled_from([[], [[]]])), *case.lists]
    groups = groups_of(lists)
    offsets, members = sets_of(groups.offsets, groups.members, np.array(case.codes, np.int32), case.n_values)
    found = [members[start:stop].tolist() for start, stop in pairwise(offsets)]
    assert found == naive.sets_of(lists, case.codes)
