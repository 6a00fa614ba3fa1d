"""The assignment graph against its definition: all assignments, tried one by one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from naive import assignment as naive
from shoal.core.assignment import AssignmentGraph, match_degrees, match_pools
from shoal.core.randomness import Randomness
from shoal.core.release import Release
from shoal.core.table import Table
from support.assignments import assignments, graph_of, records_of
from support.strategies import releases
from support.tables import coded, groups_of, lists_of


@st.composite
def graphs(draw: st.DrawFn, most: int = 6) -> list[list[int]]:
    """A graph in which every row matches its own record."""
    n = draw(st.integers(1, most))
    return [sorted({i, *draw(st.sets(st.integers(0, n - 1)))}) for i in range(n)]


@given(graphs(5), st.integers(1, 5))
def test_it_splits_into_k_assignments_exactly_where_it_can(graph: list[list[int]], k: int) -> None:
    found = assignments(graph_of(graph), k, Randomness(1))
    assert (found is not None) == (naive.most_match_different(graph) >= k)
    if found is not None:
        used = {(int(row), record) for turn in found for record, row in enumerate(turn)}
        assert len(used) == k * len(graph), "two assignments share a match"
        assert all(record in graph[row] for row, record in used)
        assert all(sorted(turn) == list(range(len(graph))) for turn in found.tolist())


@given(st.integers(1, 9), st.data())
def test_a_ring_is_regular_and_splits(n: int, data: st.DataObject) -> None:
    k = data.draw(st.integers(1, n))
    graph = graph_of(naive.ring(n, k))
    regular = graph.regular_part(k)
    assert regular is not None
    assert records_of(regular) == records_of(graph)
    assert assignments(graph, k, Randomness(data.draw(st.integers(0, 99)))) is not None


def test_a_graph_that_is_not_regular_says_so() -> None:
    assert graph_of([[0, 1], [1]]).regular_part(2) is None


@given(releases(12, may_suppress=True))
def test_matches_from_cells(release: Release) -> None:
    graph = AssignmentGraph.of_cells(release.table.codes, release.owners, release.shapes, release.cells)
    boxes = [[set(c.leaves(int(c.ids[shape])).tolist()) for c in release.cells] for shape in release.shapes]
    rows = [release.table.codes[:, owner].tolist() for owner in release.owners]
    assert records_of(graph) == naive.matches_of(rows, boxes)


def numbers(n: int) -> Table:
    return coded({"q": list(range(n)), "s": list("abcdefgh"[:n])}, ["q"], sensitive=("s",))


def made_of(matches: list[list[int]], owners: list[int]) -> Release:
    """A record for each list of rows, its cells around them, published as the range of their numbers."""
    table, groups = numbers(len(owners)), groups_of(matches)
    cells = tuple(c.recoding.enclose(groups, codes) for c, codes in zip(table.quasi, table.codes, strict=True))
    return Release(table, np.array(owners, np.int32), np.arange(len(matches), dtype=np.int32), cells, matches=groups)


def degrees(release: Release) -> list[int]:
    assert release.matches is not None
    return match_degrees(release.table.codes, release.matches, release.owners, release.shapes, release.cells).tolist()


def test_regular_matches_are_believed() -> None:
    assert degrees(made_of([[0, 1], [1, 2], [2, 0]], [1, 2, 0])) == [2, 2, 2]
    assert degrees(made_of([[0, 1], [1, 0], [2]], [0, 1, 2])) == [2, 2, 1]


@pytest.mark.parametrize(
    ("matches", "owners", "why"),
    [
        ([[0, 1], [0, 1], [1, 2]], [0, 1, 2], "row 1 has three records"),
        ([[0, 1], [1, 2], [2, 0]], [2, 1, 0], "the owner of a record is not among its matches"),
        ([[0, 0], [1, 1], [2, 2]], [0, 1, 2], "a row is named twice"),
    ],
)
def test_other_matches_are_not(matches: list[list[int]], owners: list[int], why: str) -> None:
    assert min(degrees(made_of(matches, owners))) == 0, why


def test_matches_outside_the_cells_are_not_believed() -> None:
    true = made_of([[0, 1], [1, 2], [2, 0]], [0, 1, 2])
    narrow = made_of([[0, 1], [1, 2], [2]], [0, 1, 2])
    lie = Release(true.table, true.owners, true.shapes, narrow.cells, matches=true.matches)
    assert degrees(lie) == [2, 2, 0]
    assert lie.truthful().tolist() == [True, True, False]


def test_a_pool_holds_the_owners_of_the_records_that_may_be_a_rows_own() -> None:
    release = made_of([[0, 1], [1, 2], [2, 0]], [1, 2, 0])
    # row 0 matches records 0 and 2, which rows 1 and 0 own; and so on
    assert sorted(map(sorted, lists_of(release.pools))) == [[0, 1], [0, 2], [1, 2]]


def test_equal_rows_share_a_pool() -> None:
    groups = groups_of([[0, 1, 2], [3, 4]])
    owners, shapes = np.array([2, 0, 1, 4, 3], np.int32), np.array([0, 0, 0, 1, 1], np.int32)
    pools = match_pools(groups, owners, shapes, 5)
    assert sorted(map(sorted, lists_of(pools))) == [[0, 1, 2], [3, 4]]


@given(graphs())
def test_pools_leave_out_what_an_adversary_can_rule_out(graph: list[list[int]]) -> None:
    n = len(graph)
    rows_of = [[i for i in range(n) if record in graph[i]] for record in range(n)]
    owners = np.arange(n, dtype=np.int32)
    pools = {tuple(sorted(pool)) for pool in lists_of(match_pools(groups_of(rows_of), owners, owners, n))}
    kept = naive.effective(graph)
    assert pools == {tuple(sorted(record for i, record in kept if i == row)) for row in range(n)}
