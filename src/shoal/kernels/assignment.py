"""Random assignments: edge-disjoint perfect matchings of a regular bipartite graph."""

from __future__ import annotations

import numpy as np

from shoal.kernels.arrays import Array
from shoal.kernels.decorators import kernel

_CHANCES = 4
"""How many 16-bit random numbers one word yields."""


@kernel
def _shuffled(words: Array, n: int) -> Array:
    """The numbers 0 … ``n − 1``, shuffled with the first ``n`` random words."""
    order = np.arange(n, dtype=np.int32)
    for i in range(n - 1, 0, -1):
        at = np.int64(((words[i] >> np.uint64(32)) * np.uint64(i + 1)) >> np.uint64(32))
        order[i], order[at] = order[at], order[i]
    return order


@kernel
def _propose(edges: Array, m: int, firsts: Array, order: Array, place: Array, holder: Array, homeless: Array) -> int:
    """Give each row, in the given order, a free record among its ``m`` edges, starting at a random edge.

    ``firsts`` holds 16 random bits for each row and is overwritten with the edge to start at. Returns the number of
    rows that found no free record; ``homeless`` lists them.
    """
    n_homeless = 0
    for i in order:
        at = (firsts[i] * m) >> 16
        firsts[i] = at
        place[i] = -1
        for _ in range(m):
            if holder[edges[i, at]] < 0:
                holder[edges[i, at]] = i
                place[i] = at
                break
            at = at + 1 if at + 1 < m else 0
        if place[i] < 0:
            homeless[n_homeless] = i
            n_homeless += 1
    return n_homeless


@kernel
def _walk(
    start: int, edges: Array, m: int, firsts: Array, place: Array, holder: Array, seen: Array, path: Array
) -> bool:
    """Find a record for row ``start`` by a random walk over rows that can change records, backtracking at dead ends.

    For each step, ``path`` holds the row, how many of its edges were tried, and the edge by which the walk left it.
    """
    depth = 0
    path[0, 0], path[0, 1] = start, 0
    while depth >= 0:
        i = path[depth, 0]
        if path[depth, 1] == 0:
            for at in range(m):
                if holder[edges[i, at]] < 0:
                    path[depth, 2] = at
                    for step in range(depth + 1):
                        row = path[step, 0]
                        place[row] = path[step, 2]
                        holder[edges[row, place[row]]] = row
                    return True
        depth -= 1
        while path[depth + 1, 1] < m:
            at = firsts[i] + path[depth + 1, 1]
            at = at - m if at >= m else at
            path[depth + 1, 1] += 1
            record = edges[i, at]
            if seen[record] != start:
                seen[record] = start
                path[depth + 1, 2] = at
                path[depth + 2, 0], path[depth + 2, 1] = holder[record], 0
                depth += 2
                break
    return False


@kernel
def _draw_part(edges: Array, pick: int, words: Array, rows: Array) -> bool:
    """Run ``draw`` for one part, reordering its ``edges``; return False if the graph has no further assignment."""
    g, degree = edges.shape
    order = _shuffled(words, g)
    place = np.empty(g, np.int32)
    holder = np.empty(g, np.int32)
    seen = np.empty(g, np.int32)
    homeless = np.empty(g, np.int32)
    firsts = np.empty(g, np.int64)
    path = np.empty((g + 2, 3), np.int32)
    for turn in range(pick + 1):
        m = degree - turn
        at, shift = g * (1 + turn // _CHANCES), np.uint64(16 * (turn % _CHANCES))
        for i in range(g):
            holder[i] = seen[i] = -1
            firsts[i] = np.int64((words[at + i] >> shift) & np.uint64(0xFFFF))
        for p in range(_propose(edges, m, firsts, order, place, holder, homeless)):
            if not _walk(homeless[p], edges, m, firsts, place, holder, seen, path):
                return False
        for i in range(g):
            edges[i, place[i]], edges[i, m - 1] = edges[i, m - 1], edges[i, place[i]]
    rows[:] = holder
    return True


def n_words(sizes: Array, picks: Array) -> int:
    """How many random words ``draw`` needs for parts of these sizes."""
    return int((sizes * (2 + picks // _CHANCES)).sum())


@kernel
def draw(edges: Array, offsets: Array, picks: Array, words: Array) -> Array:
    """Assign a row to each record at random, separately within each part.

    Part ``p`` has the rows and the records ``offsets[p] … offsets[p + 1] − 1`` and must be a regular graph;
    ``edges[i]`` lists the records that row ``i`` matches, numbered from the part's first record. Each part decomposes
    into random edge-disjoint assignments; the result is number ``picks[p]``, and later ones are not computed. −1 if a
    part is not regular.

    Time per assignment is O(rows · degree · rows) at worst, close to O(rows) in practice; memory is one copy of
    ``edges``.
    """
    rows = np.full(edges.shape[0], -1, np.int32)
    cursor = 0
    for p in range(offsets.size - 1):
        first, last = offsets[p], offsets[p + 1]
        if _draw_part(edges[first:last].copy(), picks[p], words[cursor:], rows[first:last]):
            for i in range(first, last):
                rows[i] += first
        cursor += (last - first) * (2 + picks[p] // _CHANCES)
    return rows


@kernel
def rows_by_record(edges: Array, offsets: Array) -> Array:
    """Invert ``edges``: the rows that each record matches, numbered across all parts. O(edges)."""
    rows = np.empty(edges.shape, np.int32)
    filled = np.zeros(edges.shape[0], np.int32)
    for p in range(offsets.size - 1):
        for i in range(offsets[p], offsets[p + 1]):
            for record in edges[i]:
                at = offsets[p] + record
                rows[at, filled[at]] = i
                filled[at] += 1
    return rows
