"""Cells of any recoding as integers, one per plane, with additive prices.

A *plane* is a column, several small columns fused into one, or one word of a set-valued column. A cell of a plane is
one int64: the number of a node, the two ends of a range, or a set of up to 62 values. Prices are integers, so sums are
exact and do not depend on the order or the machine.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shoal.kernels.arrays import Array
from shoal.kernels.decorators import inner, kernel

TABLE, CLIMB, RANGE, SPAN, SETS = 0, 1, 2, 3, 4
"""Kinds of planes: node numbers joined by a table or by climbing, ranges priced by a table or by their ends, sets."""

KIND, WIDTH, AT, TOP = 0, 1, 2, 3
"""Rows of ``Space.planes``."""

PRICES, JOINS = 0, 1
"""Rows of ``Space.entries``."""

HALF = 32
"""A range is ``first << HALF | last``."""

_LAST = (1 << HALF) - 1


class Space(NamedTuple):
    """The planes, flattened into two arrays, int64 and int32 (passing many arrays is slow in numba).

    Plane ``p`` of kind ``planes[KIND, p]`` and width ``planes[WIDTH, p]`` has its entries from ``planes[AT, p]`` on:
    ``TABLE``: price and join of nodes ``a`` and ``b`` at ``a · width + b``;
    ``CLIMB``: price and parent of each node; parents have larger numbers than their children;
    ``RANGE``: the price of ``[a, b]`` at ``a · width + b``;
    ``SPAN``: the price of ``[a, b]`` is entry ``b`` minus entry ``width + a``, but entry ``2 · width`` if ``b`` is
    the missing value ``planes[TOP, p]`` and ``a`` is not;
    ``SETS``: one price for each number of members, from 0 on. ``base`` is added to every price.
    """

    planes: Array
    entries: Array
    base: int


@inner
def popcount(word: int) -> int:
    """The number of set bits among the lower 63. A dozen instructions, which also vectorise."""
    word -= (word >> 1) & 0x5555555555555555
    word = (word & 0x3333333333333333) + ((word >> 2) & 0x3333333333333333)
    word = (word + (word >> 4)) & 0x0F0F0F0F0F0F0F0F
    word += word >> 8
    word += word >> 16
    return (word + (word >> 32)) & 127


@inner
def _climb(parents: Array, at: int, one: int, other: int) -> int:
    """The lowest node above two nodes."""
    while one != other:
        if one < other:
            one = parents[at + one]
        else:
            other = parents[at + other]
    return one


@inner
def join(space: Space, p: int, one: int, other: int) -> int:
    """The smallest cell of plane ``p`` around two cells."""
    kind, at = space.planes[KIND, p], space.planes[AT, p]
    if kind == TABLE:
        return int(space.entries[JOINS, at + one * space.planes[WIDTH, p] + other])
    if kind == SETS:
        return int(one | other)
    if kind == CLIMB:
        return int(_climb(space.entries[JOINS], at, one, other))
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
        return int(prices[at + _climb(space.entries[JOINS], at, one, other)])
    first, last = min(one >> HALF, other >> HALF), max(one & _LAST, other & _LAST)
    if kind == RANGE:
        return int(prices[at + first * width + last])
    if last == space.planes[TOP, p]:
        return int(prices[at + 2 * width]) if first < last else 0
    return int(prices[at + last]) - int(prices[at + width + first])


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
            row = prices[at : at + width]
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
