"""Classes rolled up from any node are those grouped from scratch, however little is remembered."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from naive import lattice as naive
from shoal.algorithms.lattice.class_rollup import ClassRollup
from shoal.core.groups import Groups
from shoal.core.table import Table
from shoal.core.tallies import Tallies
from shoal.kernels.rollup import Limits, first_above
from support.strategies import tables
from support.tables import coded


def _nodes(table: Table) -> st.SearchStrategy[tuple[int, ...]]:
    return st.tuples(*(st.integers(0, height) for height in naive.heights_of(table)))


@given(table=tables(30, 4), data=st.data(), memory=st.sampled_from([0, 10**4, 10**9]), spine=st.integers(0, 4))
def test_rolled_up_classes(table: Table, data: st.DataObject, memory: int, spine: int) -> None:
    grouping = ClassRollup(table, memory=memory, spine=spine)
    for levels in data.draw(st.lists(_nodes(table), min_size=1, max_size=8)):
        classes = grouping.at(levels)
        ids = grouping.row_ids(classes)
        found = {frozenset(np.flatnonzero(ids == c).tolist()) for c in range(len(classes))}
        assert found == {frozenset(rows) for rows in naive.classes_at(table, levels)}
        assert classes.sizes.tolist() == np.bincount(ids, minlength=len(classes)).tolist()
        firsts = table.distinct.firsts[classes.firsts]
        assert ids[firsts].tolist() == [*range(len(classes))]
        assert (grouping.class_codes(classes) == table.codes[:, firsts]).all()
        for column in table.sensitive:
            groups = Groups.from_ids(ids, len(classes))
            scratch = Tallies.of(groups, column.codes, column.domain.n_leaves)
            rolled = grouping.tallies(classes, column)
            assert rolled.offsets.tolist() == scratch.offsets.tolist()
            assert rolled.values.tolist() == scratch.values.tolist()
            assert rolled.counts.tolist() == scratch.counts.tolist()


@given(table=tables(30, 3), data=st.data(), floor=st.integers(1, 5), lost=st.integers(0, 10), most=st.integers(0, 30))
def test_gives_up_only_beyond_its_limits(table: Table, data: st.DataObject, floor: int, lost: int, most: int) -> None:
    levels = data.draw(_nodes(table))
    sizes = [len(rows) for rows in naive.classes_at(table, levels)]
    within = len(sizes) <= most and sum(size for size in sizes if size < floor) <= lost
    found = ClassRollup(table, spine=0).within(levels, Limits(most, floor, lost))
    if any(levels):
        assert (found is not None) == within


def test_keys_of_more_than_one_word() -> None:
    """Thirty columns of a hundred values need four words."""
    rng = np.random.default_rng(1)
    rows = rng.integers(0, 100, (30, 50))
    rows[:, 25:] = rows[:, :25]
    rows[29, 49] += 1
    columns = {f"c{j}": [int(v) for v in values] for j, values in enumerate(rows)}
    table = coded(columns, [*columns], recodings=dict.fromkeys(columns, "suppress"))
    grouping = ClassRollup(table)
    assert grouping.at((0,) * 30).keys.shape[0] >= 3
    assert len(grouping.at((0,) * 30)) == 26
    assert len(grouping.at((0,) * 29 + (1,))) == 25
    assert len(grouping.at((1,) * 30)) == 1


@given(st.lists(st.tuples(*[st.integers(0, 3)] * 3), max_size=20), st.tuples(*[st.integers(0, 3)] * 3))
def test_first_above(nodes: list[tuple[int, ...]], low: tuple[int, ...]) -> None:
    found = first_above(np.array(nodes, np.int16).reshape(-1, 3), np.array(low, np.int16))
    above = [i for i, node in enumerate(nodes) if all(a <= b for a, b in zip(low, node, strict=True))]
    assert found == (above[0] if above else -1)


@pytest.mark.parametrize("memory", [0, 10**9])
def test_what_is_not_used_is_forgotten(memory: int) -> None:
    table = coded({"a": [*range(40)], "b": [*range(40)]}, ["a", "b"], recodings={"a": "suppress", "b": "suppress"})
    grouping = ClassRollup(table, memory=memory, spine=0)
    one, other = grouping.at((1, 0)), grouping.at((0, 1))
    assert len(one) == len(other) == 40
    for _ in range(3):
        assert grouping.at((1, 1)).sizes.tolist() == [40]
