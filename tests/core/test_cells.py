"""Cells are stored once each, numbered by what they hold and not by who has them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.core.cells import Cells
from shoal.core.groups import Groups
from support.tables import groups_of

N_LEAVES = 9
Pair = tuple[int, int]
ends = st.integers(0, N_LEAVES - 1)
interval = st.tuples(ends, ends).map(lambda pair: (min(pair), max(pair)))
intervals = st.lists(interval, max_size=25)
leaf_sets = st.lists(st.frozensets(st.integers(0, N_LEAVES - 1), min_size=1), max_size=25)


def _of_intervals(pairs: list[Pair], levels: list[int] | None = None) -> Cells:
    low, high = (np.array([pair[end] for pair in pairs], np.int32) for end in (0, 1))
    return Cells.of_intervals(low, high, None if levels is None else np.array(levels, np.int32))


def _of_sets(sets: list[frozenset[int]]) -> Cells:
    """Each set as a group of rows, row ``i`` having code ``i``."""
    return Cells.of_sets(groups_of([sorted(s, reverse=True) for s in sets]), np.arange(N_LEAVES, dtype=np.int32), 9)


def _contents(cells: Cells) -> list[tuple[int, ...]]:
    """The leaves at each position."""
    return [tuple(cells.leaves(int(cell)).tolist()) for cell in cells.ids]


@given(intervals)
def test_intervals_keep_their_bounds(pairs: list[Pair]) -> None:
    assert _contents(_of_intervals(pairs)) == [tuple(range(low, high + 1)) for low, high in pairs]


@given(leaf_sets)
def test_sets_keep_their_members(sets: list[frozenset[int]]) -> None:
    cells = _of_sets(sets)
    assert _contents(cells) == [tuple(sorted(s)) for s in sets]
    assert cells.low[cells.ids].tolist() == [min(s) for s in sets]
    assert cells.high[cells.ids].tolist() == [max(s) for s in sets]


@given(st.one_of(intervals.map(_of_intervals), leaf_sets.map(_of_sets)))
def test_equal_cells_have_equal_ids_and_only_they(cells: Cells) -> None:
    contents = _contents(cells)
    assert len(set(zip(contents, cells.ids.tolist(), strict=True))) == len(set(contents)) == cells.n_distinct


@given(st.permutations([(0, 3), (0, 1), (2, 2), (0, 3), (1, 8), (2, 2)]).map(_of_intervals))
def test_intervals_are_numbered_by_content(cells: Cells) -> None:
    """So that the numbers betray nothing about the order of rows."""
    assert list(zip(cells.low.tolist(), cells.high.tolist(), strict=True)) == [(0, 1), (0, 3), (1, 8), (2, 2)]


@given(st.permutations([frozenset({0, 3}), frozenset({5}), frozenset({0, 3}), frozenset({0, 1, 8})]).map(_of_sets))
def test_sets_are_numbered_by_content(cells: Cells) -> None:
    assert [cells.leaves(cell).tolist() for cell in range(cells.n_distinct)] == [[0, 1, 8], [0, 3], [5]]


def test_levels_tell_equal_intervals_apart() -> None:
    cells = _of_intervals([(0, 0), (0, 0), (0, 0)], levels=[1, 0, 1])
    assert cells.levels is not None
    assert cells.levels[cells.ids].tolist() == [1, 0, 1]
    assert cells.n_distinct == 2


@given(st.one_of(intervals.map(_of_intervals), leaf_sets.map(_of_sets)), st.data())
def test_cover(cells: Cells, data: st.DataObject) -> None:
    codes = data.draw(st.lists(st.integers(0, N_LEAVES + 3), min_size=len(cells), max_size=len(cells)))
    wanted = [code in leaves for code, leaves in zip(codes, _contents(cells), strict=True)]
    assert cells.cover(np.array(codes, np.int32)).tolist() == wanted


@given(st.one_of(intervals.map(_of_intervals), leaf_sets.map(_of_sets)))
def test_sizes(cells: Cells) -> None:
    assert cells.sizes[cells.ids].tolist() == [len(leaves) for leaves in _contents(cells)]
    assert len(cells) == cells.ids.size


@given(st.one_of(intervals.map(_of_intervals), leaf_sets.map(_of_sets)), st.data())
def test_take_and_compact(cells: Cells, data: st.DataObject) -> None:
    """Taking keeps all distinct cells; compacting drops those that nobody uses, and nothing else."""
    place = st.integers(0, max(0, len(cells) - 1))
    picked = data.draw(st.lists(place, max_size=10 if len(cells) else 0))
    taken = cells.take(np.array(picked, np.int32))
    contents = _contents(cells)
    assert _contents(taken) == _contents(taken.compact()) == [contents[at] for at in picked]
    assert taken.n_distinct == cells.n_distinct
    assert taken.compact().n_distinct == len({contents[at] for at in picked})
    assert sorted(set(taken.compact().ids.tolist())) == list(range(taken.compact().n_distinct))
    assert taken.compact().are_sets == cells.are_sets


def test_compact_keeps_levels() -> None:
    cells = _of_intervals([(0, 0), (0, 0), (1, 2)], levels=[0, 1, 2]).take(np.array([2, 1], np.int32)).compact()
    assert cells.levels is not None
    assert cells.levels[cells.ids].tolist() == [2, 1]


@given(st.one_of(intervals.map(_of_intervals), leaf_sets.map(_of_sets)))
def test_as_groups(cells: Cells) -> None:
    groups = cells.as_groups()
    assert [tuple(groups.of(place).tolist()) for place in range(len(groups))] == _contents(cells)


@pytest.mark.parametrize("none", [_of_intervals([]), _of_sets([])], ids=["intervals", "sets"])
def test_no_cells_at_all(none: Cells) -> None:
    assert len(none) == len(none.compact()) == len(none.as_groups()) == none.n_distinct == 0
    assert none.cover(np.empty(0, np.int32)).size == 0


@given(st.lists(st.lists(st.integers(0, 5), min_size=1, max_size=6), min_size=1, max_size=8))
def test_sets_are_the_same_by_numpy_and_by_kernels(groups: list[list[int]]) -> None:
    codes = np.array([code for group in groups for code in group], np.int32)
    offsets = np.cumsum([0, *map(len, groups)]).astype(np.int64)
    lists = Groups(offsets, np.arange(codes.size, dtype=np.int32))
    with pytest.MonkeyPatch.context() as patch:
        small = Cells.of_sets(lists, codes, 6)
        patch.setattr("shoal.core.cells.SMALL", 0)
        large = Cells.of_sets(lists, codes, 6)
    assert small.ids.tolist() == large.ids.tolist()
    assert [small.leaves(i).tolist() for i in small.ids] == [large.leaves(i).tolist() for i in large.ids]
    assert [set(small.leaves(i).tolist()) for i in small.ids] == [set(group) for group in groups]
