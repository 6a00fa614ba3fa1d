"""Random assignments: perfect matchings of a regular bipartite graph that share no match."""

from __future__ import annotations

import numpy as np

from shoal.kernels.arrays import Array
from shoal.kernels.decorators import kernel

_CHANCES = 4
"""Random numbers of 16 bits in a word."""


@kernel
def _shuffled(words: Array, n: int) -> Array:
    """The numbers below ``n`` in an order as random as the first ``n`` words."""
    order = np.empty(n, np.int32)
    for i in range(n):
        order[i] = i
    for i in range(n - 1, 0, -1):
        at = np.int64(((words[i] >> np.uint64(32)) * np.uint64(i + 1)) >> np.uint64(32))
        order[i], order[at] = order[at], order[i]
    return order


@kernel
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


@kernel
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


@kernel
def _draw_part(edges: Array, pick: int, words: Array, rows: Array) -> bool:
    """As ``draw`` for one part, whose edges are used up; False where the graph runs out of assignments."""
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
    for record in range(g):
        rows[record] = holder[record]
    return True


def n_words(sizes: Array, picks: Array) -> int:
    """How many random words ``draw`` needs for parts of these sizes."""
    return int((sizes * (2 + picks // _CHANCES)).sum())


@kernel
def draw(edges: Array, offsets: Array, picks: Array, words: Array) -> Array:
    """The row that each record gets, drawn in each part by itself.

    Part ``p`` has the rows and the records ``offsets[p] … offsets[p + 1] − 1``; ``edges[i]`` lists the records that
    row ``i`` matches, counted from the part's first: each part a regular graph. Of the random assignments without a
    common match that make up a part, number ``picks[p]`` is the one; those after it are not made. −1 where a part is
    not regular.

    Time per assignment O(rows · degree · rows) at worst, close to O(rows) in practice; memory of ``edges`` once more.
    """
    rows = np.empty(edges.shape[0], np.int32)
    cursor = 0
    for p in range(offsets.size - 1):
        first, last = offsets[p], offsets[p + 1]
        left = np.empty((last - first, edges.shape[1]), np.int32)
        for i in range(first, last):
            rows[i] = -1
            for t in range(edges.shape[1]):
                left[i - first, t] = edges[i, t]
        found = rows[first:last]
        if _draw_part(left, picks[p], words[cursor:], found):
            for i in range(first, last):
                rows[i] += first
        cursor += (last - first) * (2 + picks[p] // _CHANCES)
    return rows


@kernel
def rows_by_record(edges: Array, offsets: Array) -> Array:
    """The rows that each record matches, ``edges`` the other way round, counted as in the whole. O(edges)."""
    rows = np.empty(edges.shape, np.int32)
    filled = np.zeros(edges.shape[0], np.int32)
    for p in range(offsets.size - 1):
        for i in range(offsets[p], offsets[p + 1]):
            for record in edges[i]:
                at = offsets[p] + record
                rows[at, filled[at]] = i
                filled[at] += 1
    return rows
