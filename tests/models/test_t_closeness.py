"""t-closeness by hand, against the distance between trees, and where 32 bits are not enough."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.core.groups import Groups
from shoal.core.hierarchy import Hierarchy
from shoal.core.release import Release
from shoal.core.table import Table
from shoal.errors import InputError
from shoal.models import TCloseness
from support.strategies import laminar, partitions
from support.tables import coded, groups_of, partitioned

TREE = Hierarchy.from_dict({"lungs": ["flu", "cold"], "stomach": ["ulcer", "gastritis"]})


def _ward(values: list[object], hierarchy: Hierarchy | None = None) -> Table:
    said = {"hierarchies": {"illness": hierarchy}} if hierarchy else {}
    return coded({"ward": list(range(len(values))), "illness": values}, ["ward"], sensitive=("illness",), **said)


def _distances(promise: TCloseness, table: Table, groups: Groups) -> list[float]:
    return promise.shown(promise.measure(table, groups)).tolist()


def test_hierarchical_distance_by_hand() -> None:
    """Half of the table is one illness away on level 1, half on level 2."""
    table = _ward(["flu", "cold", "ulcer", "gastritis"], TREE)
    promise = TCloseness(0.5, "hierarchical")
    found = _distances(promise, table, groups_of([[0], [0, 1], [0, 2], [0, 1, 2, 3]]))
    assert found == pytest.approx([1 / 4 * 1 / 2 + 1 / 2 * 1, 1 / 2, 2 * (1 / 4 * 1 / 2), 0])


def test_ordered_distance_by_hand() -> None:
    table = _ward([10, 9, 100])
    assert _distances(TCloseness(1, "ordered"), table, groups_of([[1], [0], [2]])) == pytest.approx([0.5, 1 / 3, 0.5])


def test_numbers_are_ordered_by_size_whatever_their_hierarchy() -> None:
    tree = Hierarchy.from_dict({"odd": ["1", "3"], "even": ["2", "4"]})
    plain, treed = _ward([1, 2, 3, 4]), _ward([1, 2, 3, 4], tree)
    groups = groups_of([[0, 2], [0, 1]])
    assert _distances(TCloseness(1, "ordered"), plain, groups) == _distances(TCloseness(1, "ordered"), treed, groups)


@given(data=st.data())
def test_hierarchical_distance_is_the_distance_on_a_tree(data: st.DataObject) -> None:
    """On a tree earth is moved along edges: over each goes what is too much below it, at 1 / (2 · levels) a step."""
    leaves = [f"v{i}" for i in range(data.draw(st.integers(1, 7)))]
    tree = data.draw(laminar(leaves))
    values = data.draw(st.lists(st.sampled_from(leaves), min_size=1, max_size=25))
    table = _ward([*values], tree)
    lists = data.draw(partitions(len(values)))
    found = _distances(TCloseness(1, "hierarchical"), table, groups_of(lists))
    assert found == pytest.approx([float(_along_edges(tree, values, rows)) for rows in lists])


def _along_edges(tree: Hierarchy, values: list[str], rows: list[int]) -> Fraction:
    height, work = tree.n_levels - 1, Fraction(0)
    for level in range(height):
        for first in set(tree.low[level].tolist()):
            below = {leaf for leaf, low in zip(tree.leaves, tree.low[level].tolist(), strict=True) if low == first}
            here = Fraction(sum(values[row] in below for row in rows), len(rows))
            work += abs(here - Fraction(sum(value in below for value in values), len(values)))
    return work / (2 * height)


def test_sex_that_determines_disease_in_200_000_rows() -> None:
    """A peer multiplies counts in 32 bits and releases this unchanged at t = 0.2."""
    n = 100_000
    columns: dict[str, list[Any]] = {"sex": ["f"] * n + ["m"] * n, "illness": ["flu"] * n + ["ulcer"] * n}
    table = coded(columns, ["sex"], sensitive=("illness",), hierarchies={"illness": TREE})
    verdict = TCloseness(0.2, "hierarchical").check(Release.identity(table))
    assert not verdict.holds
    assert verdict.achieved == 0.5
    assert TCloseness(0.2, "hierarchical").check(partitioned(table, [range(2 * n)])).holds


@pytest.mark.parametrize("distance", ["equal", "ordered", "hierarchical"])
def test_counts_stay_whole_beyond_32_bits(distance: str) -> None:
    """Counts times rows pass 2 to the 31 here; half of the table is in one group."""
    n = 50_000
    codes = np.repeat(np.array([0, 3], np.int32), n)
    small = _ward(["flu", "cold", "ulcer", "gastritis"], TREE).sensitive[0]
    domain = small.domain.__class__(**{**vars(small.domain), "counts": np.bincount(codes, minlength=4)})
    column = small.__class__(domain, codes, small.hierarchy)
    table = Table((), np.zeros((0, 2 * n), np.int32), (column,))
    found = _distances(TCloseness(1, distance), table, Groups.from_ids(codes // 3, 2))  # type: ignore[arg-type]
    assert found == [0.5, 0.5]


def test_a_distance_that_is_exactly_t_is_allowed() -> None:
    """One of ten is 0.3 too many in a group where it is 4 of 10, whatever binary fractions make of that."""
    values: list[Any] = ["flu"] * 10 + ["cold"] * 90
    group = [*range(4), *range(10, 16)]
    for t, holds in ((0.3, True), (0.29999, False)):
        assert TCloseness(t).accepts(_ward(values), groups_of([group])).tolist() == [holds]


def test_suppressed_rows_belong_to_the_whole_table() -> None:
    table = _ward(["flu", "flu", "cold", "cold"])
    assert TCloseness(0.5).check(partitioned(table, [[0, 1]])).achieved == 0.5


def test_needs_a_hierarchy_for_hierarchical_distance() -> None:
    for ask in (TCloseness(0.2, "hierarchical").refuse, TCloseness(0.2, "hierarchical", of="illness").refuse):
        with pytest.raises(InputError, match="needs a hierarchy of 'illness', which has none"):
            ask(_ward(["flu", "cold"]))


@pytest.mark.parametrize("t", [0, -0.1, 1.1, "far", None, float("nan")])
def test_bad_t(t: object) -> None:
    with pytest.raises(InputError, match=r"^t must be .*, got .*\.$"):
        TCloseness(t)  # type: ignore[arg-type]


def test_bad_distance() -> None:
    with pytest.raises(InputError, match=r"^distance must be one of equal, ordered, hierarchical, got 'far'\.$"):
        TCloseness(0.2, "far")  # type: ignore[arg-type]
