"""Groups of rows, from numbers and back."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from shoal.core.groups import Groups
from support.tables import groups_of, lists_of

ids_lists = st.lists(st.integers(0, 5), max_size=40)


@given(ids_lists)
def test_from_ids_and_back(ids: list[int]) -> None:
    groups = Groups.from_ids(np.array(ids, np.int32), 6)
    assert lists_of(groups) == [[row for row, group in enumerate(ids) if group == wanted] for wanted in range(6)]
    assert groups.ids(len(ids)).tolist() == ids


@given(ids_lists)
def test_sizes(ids: list[int]) -> None:
    groups = Groups.from_ids(np.array(ids, np.int64), 6)
    assert groups.sizes.tolist() == [ids.count(group) for group in range(6)]
    assert len(groups) == 6


def test_rows_in_no_group_are_marked() -> None:
    assert groups_of([[4], [1, 2]]).ids(6).tolist() == [-1, 1, 1, -1, 0, -1]


def test_groups_may_overlap_and_repeat() -> None:
    groups = groups_of([[0, 1], [1, 2, 0], []])
    assert lists_of(groups) == [[0, 1], [1, 2, 0], []]
    assert groups.sizes.tolist() == [2, 3, 0]


def test_whole() -> None:
    assert lists_of(Groups.whole(3)) == [[0, 1, 2]]
    assert lists_of(Groups.whole(0)) == [[]]


def test_no_groups() -> None:
    assert len(Groups.from_ids(np.empty(0, np.int32), 0)) == 0
