"""Theorem 3.1 of Ciriani et al., k-Anonymity: cell suppression for k = 3 is as hard as cutting a graph into triangles.

The two tables of its proof (figures 6 and 7) are made from graphs; the fewest stars, by trying every partition, are as
few as the theorem says exactly where the edges fall apart as it says.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import ceil, log2
from random import Random

import numpy as np
import pytest

from shoal.algorithms import Clustering
from shoal.core.progress import Silent
from shoal.core.randomness import Randomness
from shoal.core.release import Release
from shoal.core.table import Table
from shoal.models import KAnonymity
from support.tables import coded, goal_of

Edge = tuple[int, int]
Rows = list[tuple[int, ...]]

FIGURE = [(0, 1), (0, 2), (1, 2), (0, 3), (1, 3), (2, 3)]
"""The edges of the figures' graph in their order: (i, j), (i, k), (j, k), (i, h), (j, h), (k, h)."""


def _table_t(edges: Sequence[Edge], n: int) -> Rows:
    """A row for each edge: 1 at its two vertices, else 0."""
    return [tuple(int(vertex in edge) for vertex in range(n)) for edge in edges]


def _table_t_prime(edges: Sequence[Edge], n: int) -> Rows:
    """A block for each bit of an edge's rank, from 1 on: 1 and 2 at its vertices, or 2 and 1 where the bit is set."""
    t = ceil(log2(len(edges) + 1))
    rows = []
    for rank, (one, other) in enumerate(edges, 1):
        bits = [rank >> (t - 1 - place) & 1 for place in range(t)]
        blocks = [{one: 2, other: 1} if bit else {one: 1, other: 2} for bit in bits]
        rows.append(tuple(block.get(vertex, 0) for block in blocks for vertex in range(n)))
    return rows


def _stars(rows: Rows, group: Sequence[int]) -> int:
    """Cells to be starred so that a group of rows becomes equal."""
    return len(group) * sum(len(set(values)) > 1 for values in zip(*(rows[i] for i in group), strict=True))


def _threes(edges: Sequence[int]) -> Iterator[list[tuple[int, ...]]]:
    """All ways to cut a list into groups of three; an optimum of the theorem's cost has no others."""
    if not edges:
        yield []
        return
    for pair in combinations(edges[1:], 2):
        rest = [edge for edge in edges[1:] if edge not in pair]
        yield from ([(edges[0], *pair), *others] for others in _threes(rest))


def _fewest(rows: Rows) -> int:
    """The fewest stars of any partition into groups of three, or of all six rows in one."""
    whole = _stars(rows, range(len(rows)))
    return min(whole, *(sum(_stars(rows, group) for group in cut) for cut in _threes(range(len(rows)))))


def _kind(edges: Sequence[Edge]) -> str:
    """Whether three edges are a triangle or a star."""
    vertices = [vertex for edge in edges for vertex in edge]
    counts = sorted(vertices.count(vertex) for vertex in set(vertices))
    return {(2, 2, 2): "triangle", (1, 1, 1, 3): "star"}.get(tuple(counts), "")


def _falls_apart(edges: Sequence[Edge], kinds: set[str]) -> bool:
    return any(all(_kind([edges[e] for e in group]) in kinds for group in cut) for cut in _threes(range(len(edges))))


def _graphs() -> list[list[Edge]]:
    chance = Random(1)
    drawn = [chance.sample(list(combinations(range(n), 2)), 6) for n in (4, 5, 6) for _ in range(60)]
    two_triangles = [(0, 1), (1, 2), (0, 2), (2, 3), (3, 4), (2, 4)]
    return [FIGURE, two_triangles, *drawn]


def test_figure_6() -> None:
    rows = _table_t(FIGURE, 4)
    assert rows[:3] == [(1, 1, 0, 0), (1, 0, 1, 0), (0, 1, 1, 0)]
    assert rows[3:] == [(1, 0, 0, 1), (0, 1, 0, 1), (0, 0, 1, 1)]
    assert [_stars(rows, group) for group in ((0, 1, 2), (3, 4, 5))] == [9, 9]


def test_figure_7() -> None:
    rows = _table_t_prime(FIGURE, 4)
    assert rows[0] == (1, 2, 0, 0, 1, 2, 0, 0, 2, 1, 0, 0)
    assert rows[1] == (1, 0, 2, 0, 2, 0, 1, 0, 1, 0, 2, 0)
    assert [_stars(rows, group) for group in ((0, 1, 2), (3, 4, 5))] == [27, 33], "the star has six more"


def test_theorem_3_1_first_step() -> None:
    """9m stars are enough exactly where the graph falls apart into triangles and 4-stars."""
    found = [(_fewest(_table_t(edges, 6)) <= 18, _falls_apart(edges, {"triangle", "star"})) for edges in _graphs()]
    assert all(cheap == apart for cheap, apart in found)
    assert {cheap for cheap, _ in found} == {True, False}


def test_theorem_3_1() -> None:
    """9m · t stars are enough exactly where the graph falls apart into triangles."""
    found = [(_fewest(_table_t_prime(edges, 6)) <= 54, _falls_apart(edges, {"triangle"})) for edges in _graphs()]
    assert all(cheap == apart for cheap, apart in found)
    assert {cheap for cheap, _ in found} == {True, False}


def _as_table(rows: Rows) -> Table:
    names = [f"c{j}" for j in range(len(rows[0]))]
    columns = {name: [str(row[j]) for row in rows] for j, name in enumerate(names)}
    return coded(columns, names, recodings=dict.fromkeys(names, "suppress"))


def _starred(release: Release) -> int:
    wide = [(cells.low != cells.high)[cells.ids][release.shapes] for cells in release.cells]
    return int(np.sum(wide))


@pytest.mark.parametrize(("make", "stars"), [(_table_t, 18), (_table_t_prime, 60)])
def test_clustering_stars_as_few_cells_as_the_figures(make: object, stars: int) -> None:
    """18 in figure 6; in figure 7, 27 for the triangle and 33 for the star."""
    rows = make(FIGURE, 4)  # type: ignore[operator]
    assert _fewest(rows) == stars
    release = Clustering(steps=200).run(_as_table(rows), goal_of(KAnonymity(3)), Randomness(1), Silent())
    assert _starred(release) == stars
