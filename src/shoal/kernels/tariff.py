"""Integer prices of the cells of every column, flattened for kernels.

A cell is ``low`` and ``high``, the outermost leaves, and ``node``: in a tree the number of the node (leaf ``x`` is node
``x``), in a set-valued column the number of members. Prices are integers, so sums are exact.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shoal.kernels.arrays import Array
from shoal.kernels.decorators import inner, kernel

TREE, SPAN, TABLE, SETS = 0, 1, 2, 3
"""Kinds of columns: nodes of a tree, ranges priced by their two ends, ranges priced by a table, sets."""

KIND, PRICES, WIDTH, TOP, WORD, NODES, MEETS = 0, 1, 2, 3, 4, 5, 6
"""Rows of ``Tariff.columns``."""

PRICE, BOUND = 0, 1
"""Rows of ``Tariff.prices``."""

LOW, HIGH, PARENT = 0, 1, 2
"""Rows of ``Tariff.nodes``."""


class Tariff(NamedTuple):
    """All columns in four arrays, and ``unit``: the price of a row whose cells each cost 1.

    Column ``c`` of ``columns[WIDTH, c]`` leaves has its prices from ``columns[PRICES, c]`` on. ``TREE``: one price per
    node, whose leaves and parent are ``nodes[:, columns[NODES, c] + node]``; the smallest node around a node and a leaf
    is ``meets[columns[MEETS, c] + node · width + leaf]``, unless that table would be too large and
    ``columns[MEETS, c]`` is −1. ``SPAN``: entry ``x`` is the price of the range from the first leaf to ``x``; a range
    costs the difference of its ends, and one that ends with the missing value ``columns[TOP, c]`` the full price.
    ``TABLE``: the range from ``a`` to ``b`` at ``a · width + b``. ``SETS``: entry ``m`` is the price of ``m`` members;
    their bits begin at word ``columns[WORD, c]``. The second row of ``prices`` has the least price of the cell or any
    larger one.
    """

    columns: Array
    prices: Array
    nodes: Array
    meets: Array
    unit: float


@inner
def price_at(tariff: Tariff, row: int, c: int, low: int, high: int, node: int) -> int:
    """The price of a cell of column ``c`` (row ``PRICE``), or the least price of it or any larger one (``BOUND``)."""
    at, kind = tariff.columns[PRICES, c], tariff.columns[KIND, c]
    if kind in (TREE, SETS):
        return int(tariff.prices[row, at + node])
    if kind == TABLE:
        return int(tariff.prices[row, at + low * tariff.columns[WIDTH, c] + high])
    if low == high:
        return 0
    if high == tariff.columns[TOP, c]:
        return int(tariff.prices[row, at + high])
    return int(tariff.prices[row, at + high] - tariff.prices[row, at + low])


@inner
def met(tariff: Tariff, c: int, node: int, code: int) -> int:
    """The smallest node of column ``c`` around a node and a leaf."""
    table, at = tariff.columns[MEETS, c], tariff.columns[NODES, c]
    if table >= 0:
        return int(tariff.meets[table + node * tariff.columns[WIDTH, c] + code])
    while code < tariff.nodes[LOW, at + node] or code > tariff.nodes[HIGH, at + node]:
        node = tariff.nodes[PARENT, at + node]
    return node


@inner
def fill_prices(
    told: Array, prices: Array, nodes: Array, meets: Array, c: Array, low: Array, high: Array, counts: Array, out: Array
) -> int:
    """Compute in ``out[i]`` the price of the smallest cell of column ``c[i]`` around ``counts[i]`` leaves.

    ``low`` and ``high`` are the outermost leaves. Returns the sum. Takes the arrays of a tariff one by one (``told``
    are its columns, ``prices`` the first row of its prices) and many cells at once: a call for each cell takes four
    times as long.
    """
    total = 0
    for i in range(c.size):
        kind, at, first, last = told[KIND, c[i]], told[PRICES, c[i]], low[i], high[i]
        if kind == TREE:
            table = told[MEETS, c[i]]
            if table >= 0:
                price = prices[at + meets[table + first * told[WIDTH, c[i]] + last]]
            else:
                node, start = first, told[NODES, c[i]]
                while nodes[HIGH, start + node] < last:
                    node = nodes[PARENT, start + node]
                price = prices[at + node]
        elif kind == SETS:
            price = prices[at + counts[i]]
        elif kind == TABLE:
            price = prices[at + first * told[WIDTH, c[i]] + last]
        elif first < last and last == told[TOP, c[i]]:
            price = prices[at + last]
        else:
            price = prices[at + last] - prices[at + first]
        out[i] = price
        total += price
    return total


@kernel
def price_cells(tariff: Tariff, c: Array, low: Array, high: Array, counts: Array) -> Array:
    """The prices of the smallest cells of columns ``c`` around ``counts`` leaves, given the outermost leaves."""
    out = np.empty(c.size, np.int64)
    fill_prices(tariff.columns, tariff.prices[PRICE], tariff.nodes, tariff.meets, c, low, high, counts, out)
    return out
