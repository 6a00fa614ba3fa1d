"""Random assignments: perfect matchings of a regular bipartite graph that share no match."""

from __future__ import annotations

import numpy as np
from numba import njit

from shoal.kernels.arrays import Array

_CHANCES = 4
"""Random numbers of 16 bits in a word."""


@njit(cache=True, nogil=True)
def _shuffled(words: Array) -> Array:
    """The numbers ``0 …`` in an order as random as the words."""
    order = np.arange(words.size).astype(np.int32)
    for i in range(words.size - 1, 0, -1):
        at = np.int64(((words[i] >> np.uint64(32)) * np.uint64(i + 1)) >> np.uint64(32))
        order[i], order[at] = order[at], order[i]
    return order


@njit(cache=True, nogil=True)
def _propose(edges: Array, m: int, firsts: Array, order: Array, place: Array, holder: Array, homeless: Array) -> int:
    """Rows in the given order take a free record among their ``m`` edges, from a random one on.

    ``firsts`` are 16 random bits for each row, and become the edge to begin with. Returns how many rows are homeless.
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


@njit(cache=True, nogil=True)
def _walk(
    start: int, edges: Array, m: int, firsts: Array, place: Array, holder: Array, seen: Array, path: Array
) -> bool:
    """Find a record for row ``start`` by a random walk over rows that may move on, going back at dead ends.

    ``path`` holds, step by step, the row, how many of its edges were tried, and the one the walk left by.
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


@njit(cache=True, nogil=True)
def _draw_part(edges: Array, pick: int, words: Array, rows: Array) -> bool:
    """As ``draw`` for one part, whose edges are used up; False where the graph runs out of assignments."""
    g, degree = edges.shape
    order = _shuffled(words[:g])
    place, holder, homeless, seen = np.empty((4, g), np.int32)
    firsts = np.empty(g, np.int64)
    path = np.empty((g + 2, 3), np.int32)
    for turn in range(pick + 1):
        m = degree - turn
        holder[:] = -1
        seen[:] = -1
        at, shift = g * (1 + turn // _CHANCES), np.uint64(16 * (turn % _CHANCES))
        for i in range(g):
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


@njit(cache=True, nogil=True)
def draw(edges: Array, offsets: Array, picks: Array, words: Array) -> Array:
    """The row that each record gets, drawn in each part by itself.

    Part ``p`` has the rows and the records ``offsets[p] … offsets[p + 1] − 1``; ``edges[i]`` lists the records that
    row ``i`` matches, counted from the part's first: each part a regular graph. Of the random assignments without a
    common match that make up a part, number ``picks[p]`` is the one; those after it are not made. −1 where a part is
    not regular.

    Time per assignment O(rows · degree · rows) at worst, close to O(rows) in practice; memory of ``edges`` once more.
    """
    rows = np.full(edges.shape[0], -1, np.int32)
    cursor = 0
    for p in range(offsets.size - 1):
        first, last = offsets[p], offsets[p + 1]
        n = (last - first) * (2 + picks[p] // _CHANCES)
        if _draw_part(edges[first:last].copy(), picks[p], words[cursor : cursor + n], rows[first:last]):
            rows[first:last] += first
        cursor += n
    return rows


@njit(cache=True, nogil=True)
def rows_by_record(edges: Array, offsets: Array) -> Array:
    """The rows that each record matches, ``edges`` the other way round, counted as in the whole. O(edges)."""
    rows = np.empty_like(edges)
    filled = np.zeros(edges.shape[0], np.int32)
    for p in range(offsets.size - 1):
        for i in range(offsets[p], offsets[p + 1]):
            for record in edges[i]:
                at = offsets[p] + record
                rows[at, filled[at]] = i
                filled[at] += 1
    return rows
