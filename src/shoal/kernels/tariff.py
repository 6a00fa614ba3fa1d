"""Prices of the cells of every column, for searches that ask whether a row lies inside a cell.

A cell is ``low`` and ``high``, the outermost leaves, and ``node``: in a tree the number of the node (leaf ``x`` is node
``x``), in a set-valued column the number of members.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shoal.kernels.arrays import Array
from shoal.kernels.decorators import inner, kernel
from shoal.kernels.planes import AT, CLIMB, JOINS, KIND, LOWER, PRICES, RANGE, SETS, SPAN, TABLE, TOP, WIDTH, climb

WORD, NODES = 5, 6
"""Rows of ``Tariff.planes`` after those of ``shoal.kernels.planes``."""

LOW, HIGH, PARENT = 0, 1, 2
"""Rows of ``Tariff.nodes``."""


class Tariff(NamedTuple):
    """One plane per column as in ``shoal.kernels.planes``, with the ends of the nodes of trees.

    ``planes[WIDTH, c]`` counts the leaves of column ``c``; the leaves and the parent of a node of a tree are
    ``nodes[:, planes[NODES, c] + node]``; the members of a set are bits from word ``planes[WORD, c]`` on. A row whose
    cells each cost 1 costs ``unit``.
    """

    planes: Array
    entries: Array
    nodes: Array
    unit: float


@inner
def is_tree(tariff: Tariff, c: int) -> bool:
    """Whether the cells of a column are nodes of a tree."""
    return bool(tariff.planes[KIND, c] <= CLIMB)


@inner
def _span_price(planes: Array, prices: Array, p: int, first: int, last: int) -> int:
    """The price of a range in a plane of kind ``SPAN``, as in ``shoal.kernels.clustering_space``."""
    at = planes[AT, p]
    if last == planes[TOP, p]:
        return int(prices[at + last]) if first < last else 0
    return int(prices[at + last]) - int(prices[planes[LOWER, p] + first])


@inner
def price_at(tariff: Tariff, row: int, c: int, low: int, high: int, node: int) -> int:
    """The price of a cell of column ``c`` (row ``PRICES``), or the least price of it or any larger one (``BOUNDS``)."""
    at, kind = tariff.planes[AT, c], tariff.planes[KIND, c]
    if kind == TABLE:
        return int(tariff.entries[row, at + node * tariff.planes[WIDTH, c] + low])
    if kind in (CLIMB, SETS):
        return int(tariff.entries[row, at + node])
    if kind == RANGE:
        return int(tariff.entries[row, at + low * tariff.planes[WIDTH, c] + high])
    return int(_span_price(tariff.planes, tariff.entries[row], c, low, high))


@inner
def met(tariff: Tariff, c: int, node: int, code: int) -> int:
    """The smallest node of column ``c`` around a node and a leaf."""
    at = tariff.planes[AT, c]
    if tariff.planes[KIND, c] == TABLE:
        return int(tariff.entries[JOINS, at + node * tariff.planes[WIDTH, c] + code])
    return int(climb(tariff.entries[JOINS], at, node, code))


@inner
def joined_price(tariff: Tariff, c: int, node: int, code: int) -> int:
    """The price of the smallest node of column ``c`` around a node and a leaf."""
    at = tariff.planes[AT, c]
    if tariff.planes[KIND, c] == TABLE:
        return int(tariff.entries[PRICES, at + node * tariff.planes[WIDTH, c] + code])
    return int(tariff.entries[PRICES, at + climb(tariff.entries[JOINS], at, node, code)])


@inner
def fill_prices(
    planes: Array, prices: Array, joins: Array, c: Array, low: Array, high: Array, counts: Array, out: Array
) -> int:
    """Compute in ``out[i]`` the price of the smallest cell of column ``c[i]`` around ``counts[i]`` leaves.

    ``low`` and ``high`` are the outermost leaves. Returns the sum. Takes the arrays of a tariff one by one and many
    cells at once: a call for each cell takes four times as long.
    """
    total = 0
    for i in range(c.size):
        p, first, last = c[i], low[i], high[i]
        kind, at = planes[KIND, p], planes[AT, p]
        if kind == SETS:
            price = prices[at + counts[i]]
        elif kind == SPAN:
            price = _span_price(planes, prices, p, first, last)
        elif kind == CLIMB:
            price = prices[at + climb(joins, at, first, last)]
        else:
            price = prices[at + first * planes[WIDTH, p] + last]
        out[i] = price
        total += price
    return total


@kernel
def price_cells(tariff: Tariff, c: Array, low: Array, high: Array, counts: Array) -> Array:
    """The prices of the smallest cells of columns ``c`` around ``counts`` leaves, given the outermost leaves."""
    out = np.empty(c.size, np.int64)
    fill_prices(tariff.planes, tariff.entries[PRICES], tariff.entries[JOINS], c, low, high, counts, out)
    return out
