"""Joins of rows and clusters whose cells are one integer per plane, and their prices."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shoal.kernels.arrays import Array
from shoal.kernels.decorators import inner, kernel
from shoal.kernels.planes import AT, CLIMB, JOINS, KIND, LOWER, PRICES, RANGE, SETS, TABLE, TOP, WIDTH, climb, popcount

HALF = 32
"""A range is ``first << HALF | last``."""

_LAST = (1 << HALF) - 1


class Space(NamedTuple):
    """Planes as in ``shoal.kernels.planes``, in two arrays, int64 and int32 (passing many arrays is slow in numba).

    A cell is one int64 per plane: the number of a node, the two ends of a range, or a set of up to 62 values. ``base``
    is added to every price.
    """

    planes: Array
    entries: Array
    base: int


@inner
def join(space: Space, p: int, one: int, other: int) -> int:
    """The smallest cell of plane ``p`` around two cells."""
    kind, at = space.planes[KIND, p], space.planes[AT, p]
    if kind == TABLE:
        return int(space.entries[JOINS, at + one * space.planes[WIDTH, p] + other])
    if kind == SETS:
        return int(one | other)
    if kind == CLIMB:
        return int(climb(space.entries[JOINS], at, one, other))
    return int(min(one >> HALF, other >> HALF) << HALF | max(one & _LAST, other & _LAST))


@inner
def join_price(space: Space, p: int, one: int, other: int) -> int:
    """The price of the join of two cells of plane ``p``."""
    kind, width, at, prices = space.planes[KIND, p], space.planes[WIDTH, p], space.planes[AT, p], space.entries[PRICES]
    if kind == TABLE:
        return int(prices[at + one * width + other])
    if kind == SETS:
        return int(prices[at + popcount(one | other)])
    if kind == CLIMB:
        return int(prices[at + climb(space.entries[JOINS], at, one, other)])
    first, last = min(one >> HALF, other >> HALF), max(one & _LAST, other & _LAST)
    if kind == RANGE:
        return int(prices[at + first * width + last])
    if last == space.planes[TOP, p]:
        return int(prices[at + last]) if first < last else 0
    return int(prices[at + last]) - int(prices[space.planes[LOWER, p] + first])  # a call would take 5% longer


@inner
def together(space: Space, cells: Array, i: int, others: Array, j: int) -> int:
    """The price of the join of ``cells[:, i]`` and ``others[:, j]``."""
    total = space.base
    for p in range(cells.shape[0]):
        total += join_price(space, p, cells[p, i], others[p, j])
    return int(total)


@inner
def price(space: Space, cells: Array, i: int) -> int:
    """The price of ``cells[:, i]``."""
    return int(together(space, cells, i, cells, i))


@kernel
def scan(
    space: Space, n_planes: int, cells: Array, start: int, stop: int, queries: Array, query: int, out: Array
) -> None:
    """Prices of the joins of ``queries[:, query]`` with ``cells[:, start:stop]``, on the first ``n_planes`` planes.

    O(planes · cells); the loops for the most frequent kinds of planes compile to a few instructions per cell.
    """
    n, prices = stop - start, space.entries[PRICES]
    for j in range(n):
        out[j] = space.base
    for p in range(n_planes):
        kind, width, at, column = space.planes[KIND, p], space.planes[WIDTH, p], space.planes[AT, p], cells[p]
        q = queries[p, query]
        if kind == TABLE:
            row = prices[at + q * width : at + q * width + width]
            for j in range(n):
                out[j] += row[column[start + j]]
        elif kind == SETS:
            row = prices[at : at + width + 1]
            for j in range(n):
                out[j] += row[popcount(q | column[start + j])]
        else:
            for j in range(n):
                out[j] += join_price(space, p, q, column[start + j])


@kernel
def widen(space: Space, closed: Array, i: int, cells: Array, j: int) -> int:
    """Widen ``closed[:, i]`` in place so that it contains ``cells[:, j]``; return its new price."""
    for p in range(closed.shape[0]):
        closed[p, i] = join(space, p, closed[p, i], cells[p, j])
    return int(price(space, closed, i))


@kernel
def closures(space: Space, cells: Array, offsets: Array, members: Array) -> tuple[Array, Array]:
    """The smallest cells around each (non-empty) group of rows, and their prices. O(planes · members)."""
    n_planes, n_groups = cells.shape[0], offsets.size - 1
    closed = np.empty((n_planes, n_groups), np.int64)
    prices = np.empty(n_groups, np.int64)
    for g in range(n_groups):
        for p in range(n_planes):
            cell = cells[p, members[offsets[g]]]
            for at in range(offsets[g] + 1, offsets[g + 1]):
                cell = join(space, p, cell, cells[p, members[at]])
            closed[p, g] = cell
        prices[g] = price(space, closed, g)
    return closed, prices
