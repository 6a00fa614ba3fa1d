"""Specialize groups top-down along their hierarchies, cutting where the loss falls most for the size given up.

The children of a node divide its rows among them, and a cut splits one child from the rest. A cut costs as many bits as
it takes to say on which side a row is, and a group can afford the logarithm of its size over k in total. So each cut is
the one that lowers the loss most per bit.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shoal.kernels.arrays import Array
from shoal.kernels.decorators import inner, kernel

AT, WIDTH = 0, 1
"""Rows of ``Ladders.shapes``."""


class Ladders(NamedTuple):
    """The nodes above each leaf, column after column; the nodes of all columns are numbered consecutively.

    On each level, the node above a leaf of column ``p`` is ``nodes[shapes[AT, p] + level · shapes[WIDTH, p] + leaf]``:
    the leaf itself on level 0, the root on the last. The leaves below one node are adjacent. Node ``v`` costs
    ``prices[v]``.
    """

    nodes: Array
    shapes: Array
    prices: Array


_COUNT, _CHILD, _COLUMN = 0, 1, 2
"""Rows of ``by_node``, a group's tally: the number of rows below a node; the n-th child encountered, and its column."""

_BELOW, _PRICE, _MET, _GAIN = 0, 1, 2, 3
"""Rows of ``by_column``: where the children of the group's node begin in ``nodes`` (−1: the group has one value), the
price of the node, how many children were encountered, and the gain from splitting all of them apart."""


@inner
def _span(ladders: Ladders, leaves: Array, order: Array, start: int, stop: int, by_column: Array) -> None:
    """Find the smallest node around a group in each column, and where its children are."""
    for p in range(leaves.shape[1]):
        low = high = leaves[order[start], p]
        for at in range(start, stop):
            leaf = leaves[order[at], p]
            low, high = min(low, leaf), max(high, leaf)
        level, width, below = ladders.shapes[AT, p], ladders.shapes[WIDTH, p], -1
        while ladders.nodes[level + low] != ladders.nodes[level + high]:
            below, level = level, level + width
        by_column[_BELOW, p], by_column[_PRICE, p] = below, ladders.prices[ladders.nodes[level + low]]
        by_column[_MET, p], by_column[_GAIN, p] = 0, 0


@inner
def _count(
    ladders: Ladders,
    leaves: Array,
    weights: Array,
    order: Array,
    start: int,
    stop: int,
    by_node: Array,
    by_column: Array,
) -> int:
    """Count the rows below each child; return the number of children in all columns."""
    n = 0
    for at in range(start, stop):
        row = order[at]
        for p in range(leaves.shape[1]):
            if by_column[_BELOW, p] < 0:
                continue
            child = ladders.nodes[by_column[_BELOW, p] + leaves[row, p]]
            if by_node[_COUNT, child] == 0:
                by_node[_CHILD, n], by_node[_COLUMN, n], n = child, p, n + 1
                by_column[_MET, p] += 1
            by_node[_COUNT, child] += weights[row]
            by_column[_GAIN, p] += weights[row] * (by_column[_PRICE, p] - ladders.prices[child])
    return n


@inner
def _best(prices: Array, size: int, k: int, n: int, by_node: Array, by_column: Array) -> int:
    """The child to split off with k rows on both sides and the most gain per bit; −1 if there is none."""
    best, found = 0.0, -1
    for at in range(n):
        child, p = by_node[_CHILD, at], by_node[_COLUMN, at]
        part, by_node[_COUNT, child] = by_node[_COUNT, child], 0
        if part < k or size - part < k:
            continue
        gain = by_column[_GAIN, p] if by_column[_MET, p] == 2 else part * (by_column[_PRICE, p] - prices[child])
        share = part / size
        bits = -share * np.log2(share) - (1 - share) * np.log2(1 - share)
        if gain > best * bits:
            best, found = gain / bits, at
    return found


@kernel
def specialize(
    ladders: Ladders,
    leaves: Array,
    weights: Array,
    k: int,
    most: int,
    order: Array,
    borders: Array,
    start: int,
    end: int,
) -> None:
    """Cut the groups between ``start`` and ``end`` while k allows it and they have more than ``most`` rows.

    Row ``i`` represents ``weights[i]`` equal rows and has the leaves ``leaves[i]``. A group is a run of ``order``; runs
    begin and end at ``borders``. Both arrays are changed in place; the rows of a group keep their order.
    O(rows · columns) for each cut.
    """
    by_node, by_column = np.zeros((3, ladders.prices.size), np.int64), np.zeros((4, leaves.shape[1]), np.int64)
    spare = np.empty(end - start, order.dtype)
    while start < end:
        stop, size, found = start + 1, weights[order[start]], -1
        while not borders[stop]:
            size += weights[order[stop]]
            stop += 1
        if stop - start > most and size >= 2 * k:
            _span(ladders, leaves, order, start, stop, by_column)
            n = _count(ladders, leaves, weights, order, start, stop, by_node, by_column)
            found = _best(ladders.prices, size, k, n, by_node, by_column)
        if found < 0:
            start = stop
            continue
        child, p, n, rest = by_node[_CHILD, found], by_node[_COLUMN, found], start, 0
        for at in range(start, stop):
            if ladders.nodes[by_column[_BELOW, p] + leaves[order[at], p]] == child:
                order[n], n = order[at], n + 1
            else:
                spare[rest], rest = order[at], rest + 1
        for at in range(rest):
            order[n + at] = spare[at]
        borders[n] = True
