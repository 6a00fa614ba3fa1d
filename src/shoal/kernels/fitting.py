"""Which rows lie inside which boxes, without listing every pair: a tree over the rows, each box as a few of its nodes.

Rows are ordered so that every node of the tree is a run of neighbours. A box is then the disjoint union of single rows
and of the nodes that lie wholly inside it. So sums over boxes, scattering from boxes, and walks between rows and boxes
cost as much as the pieces, not as much as the pairs.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shoal.kernels.arrays import Array
from shoal.kernels.assignment_graph import Boxes
from shoal.kernels.decorators import kernel

LEAF = 8
"""Nodes of at most this many rows are not divided."""

_ONE = np.uint64(1)
_ALL = ~np.uint64(0)


class Tree(NamedTuple):
    """Node ``v`` holds positions ``starts[v] … stops[v] − 1``; its children are ``v + 1`` and ``rights[v]``, or −1.

    ``order[p]`` is the row at position ``p`` and ``codes[p]`` are its codes. ``low`` and ``high`` bound the codes of
    each node, and ``masks`` are their signatures: bit ``c mod 64`` for each code ``c``.
    """

    order: Array
    codes: Array
    starts: Array
    stops: Array
    rights: Array
    low: Array
    high: Array
    masks: Array


@kernel
def _best_cut(
    codes: Array, order: Array, start: int, stop: int, low: Array, high: Array, counts: Array, scales: Array
) -> tuple[int, int]:
    """The column and code whose cut ``code <= cut`` has the best balance times width of the column by ``scales``.

    A column of scale 0 always has width 1.
    """
    n, best, column, cut = stop - start, 0.0, -1, 0
    for j in range(codes.shape[0]):
        if low[j] == high[j]:
            continue
        width = (high[j] - low[j]) * scales[j] if scales[j] > 0.0 else 1.0
        if high[j] - low[j] > 4 * n:
            middle, left = (low[j] + high[j]) // 2, 0
            for p in range(start, stop):
                left += codes[j, order[p]] <= middle
            if min(left, n - left) * width > best:
                best, column, cut = min(left, n - left) * width, j, middle
            continue
        for p in range(start, stop):
            counts[codes[j, order[p]]] += 1
        left = 0
        for code in range(low[j], high[j] + 1):
            left += counts[code]
            counts[code] = 0
            if min(left, n - left) * width > best:
                best, column, cut = min(left, n - left) * width, j, code
    return column, cut


@kernel
def _divide(column: Array, order: Array, start: int, stop: int, cut: int, spare: Array) -> int:
    """Put the rows with ``code <= cut`` first, preserving the order on both sides; return where the others begin."""
    left, n_right = start, 0
    for p in range(start, stop):
        row = order[p]
        if column[row] <= cut:
            order[left] = row
            left += 1
        else:
            spare[n_right] = row
            n_right += 1
    for i in range(n_right):
        order[left + i] = spare[i]
    return left


@kernel
def _measure(codes: Array, order: Array, start: int, stop: int, low: Array, high: Array, masks: Array) -> None:
    """Compute the bounds and signatures of the codes of a run of rows."""
    for j in range(codes.shape[0]):
        smallest = largest = codes[j, order[start]]
        mask = np.uint64(0)
        for p in range(start, stop):
            code = codes[j, order[p]]
            smallest = min(smallest, code)
            largest = max(largest, code)
            mask |= _ONE << np.uint64(code & 63)
        low[j], high[j], masks[j] = smallest, largest, mask


def grow(codes: Array, n_codes: int, scales: Array | None = None) -> Tree:
    """Build the tree over the rows of ``codes[column, row]``, which must be distinct; codes are below ``n_codes``.

    Each node is cut most evenly in two. With ``scales``, the distance between neighbouring codes, balance is weighted
    by the width of the column in the node, so that a column with many codes is not cut again and again while others
    stay whole.

    O(rows · columns · depth) time, O(rows · columns) memory.
    """
    n_columns, n = codes.shape
    most = 2 * n + 1
    rights = np.full(most, -1, np.int32)
    starts, stops = np.empty(most, np.int32), np.empty(most, np.int32)
    low, high = np.empty((most, n_columns), np.int32), np.empty((most, n_columns), np.int32)
    masks = np.empty((most, n_columns), np.uint64)
    order = np.arange(n, dtype=np.int32)
    scales = np.zeros(n_columns) if scales is None else scales
    m = _grow(codes, order, starts, stops, rights, low, high, masks, np.zeros(n_codes, np.int64), scales)
    placed = np.ascontiguousarray(codes[:, order].T)
    return Tree(order, placed, *(part[:m].copy() for part in (starts, stops, rights, low, high, masks)))


@kernel
def _grow(
    codes: Array,
    order: Array,
    starts: Array,
    stops: Array,
    rights: Array,
    low: Array,
    high: Array,
    masks: Array,
    counts: Array,
    scales: Array,
) -> int:
    """Fill in the nodes, parents before children and left before right; return how many there are."""  # fmt: skip
    n = order.size
    spare = np.empty(n, np.int32)
    waiting = np.empty((n + 64, 3), np.int32)
    waiting[0, 0], waiting[0, 1], waiting[0, 2] = 0, n, -1
    n_waiting, n_nodes = (1 if n else 0), 0
    while n_waiting:
        n_waiting -= 1
        start, stop, parent = waiting[n_waiting, 0], waiting[n_waiting, 1], waiting[n_waiting, 2]
        node = n_nodes
        n_nodes += 1
        if parent >= 0:
            rights[parent] = node
        starts[node], stops[node] = start, stop
        _measure(codes, order, start, stop, low[node], high[node], masks[node])
        if stop - start <= LEAF:
            continue
        column, cut = _best_cut(codes, order, start, stop, low[node], high[node], counts, scales)
        if column < 0:
            continue
        middle = _divide(codes[column], order, start, stop, cut, spare)
        waiting[n_waiting, 0], waiting[n_waiting, 1], waiting[n_waiting, 2] = middle, stop, node
        waiting[n_waiting + 1, 0], waiting[n_waiting + 1, 1], waiting[n_waiting + 1, 2] = start, middle, -1
        n_waiting += 2
    return n_nodes


@kernel
def signatures(boxes: Boxes) -> Array:
    """The signature of each cell, ``[shape, column]``. O(shapes · columns + members)."""
    n_columns, n_shapes = boxes.low.shape
    masks = np.zeros((n_shapes, n_columns), np.uint64)
    for j in range(n_columns):
        for s in range(n_shapes):
            low, high = boxes.low[j, s], boxes.high[j, s]
            start, stop = boxes.starts[j, s], boxes.stops[j, s]
            if start < stop:
                for p in range(start, stop):
                    masks[s, j] |= _ONE << np.uint64(boxes.members[p] & 63)
            elif high - low >= 63:
                masks[s, j] = _ALL
            else:
                for code in range(low, high + 1):
                    masks[s, j] |= _ONE << np.uint64(code & 63)
    return masks


@kernel
def _relation(tree: Tree, v: int, boxes: Boxes, masks: Array, s: int, exact: Array) -> int:
    """Relation of a node to a box: 0 if it lies outside, 2 if wholly inside, 1 if perhaps partly inside."""
    inside = 2
    for j in range(exact.size):
        low, high = tree.low[v, j], tree.high[v, j]
        if low > boxes.high[j, s] or high < boxes.low[j, s] or not tree.masks[v, j] & masks[s, j]:
            return 0
        is_set = boxes.starts[j, s] < boxes.stops[j, s]
        fills = not is_set or (exact[j] and not tree.masks[v, j] & ~masks[s, j])
        if low < boxes.low[j, s] or high > boxes.high[j, s] or not fills:
            inside = 1
    return inside


@kernel
def _is_inside(codes: Array, boxes: Boxes, masks: Array, s: int, exact: Array) -> bool:
    """Whether one row lies inside a box."""
    for j in range(exact.size):
        code = codes[j]
        if code < boxes.low[j, s] or code > boxes.high[j, s] or not (masks[s, j] >> np.uint64(code & 63)) & _ONE:
            return False
        start, stop = boxes.starts[j, s], boxes.stops[j, s]
        if start < stop and not exact[j]:
            while start < stop:
                middle = (start + stop) // 2
                if boxes.members[middle] < code:
                    start = middle + 1
                else:
                    stop = middle
            if start == boxes.stops[j, s] or boxes.members[start] != code:
                return False
    return True


@kernel
def positions(tree: Tree, piece: int) -> tuple[int, int]:
    """The first position of a piece, and the one after its last."""
    if piece >= 0:
        return tree.starts[piece], tree.stops[piece]
    return -1 - piece, -piece


@kernel
def pieces(tree: Tree, boxes: Boxes, masks: Array, exact: Array, most: int) -> tuple[Array, Array]:
    """Each box as pieces of the tree, ``pieces[offsets[s]:offsets[s + 1]]``: ``v`` for a node, ``−1 − p`` for a row.

    ``exact[j]`` means that a column has at most 64 codes, so that signatures are exact. Gives up with an empty list of
    offsets if more than ``most`` pieces would be needed. O(nodes that touch each box).
    """
    n_shapes = boxes.low.shape[1]
    offsets = np.zeros(n_shapes + 1, np.int64)
    found = np.empty(min(most, max(1024, 4 * n_shapes)), np.int32)
    stack = np.empty(1 + tree.starts.size, np.int32)
    n_found = 0
    for s in range(n_shapes):
        depth = 1 if tree.starts.size else 0
        stack[0] = 0
        while depth:
            depth -= 1
            v = stack[depth]
            relation = _relation(tree, v, boxes, masks, s, exact)
            if relation == 0:
                continue
            if n_found + LEAF > found.size:
                if found.size >= most:
                    return np.zeros(0, np.int64), found[:0]
                more = np.empty(2 * found.size, np.int32)
                more[:n_found] = found[:n_found]
                found = more
            if relation == 2:
                found[n_found] = v
                n_found += 1
            elif tree.rights[v] >= 0:
                stack[depth], stack[depth + 1] = tree.rights[v], v + 1
                depth += 2
            else:
                for p in range(tree.starts[v], tree.stops[v]):
                    if _is_inside(tree.codes[p], boxes, masks, s, exact):
                        found[n_found] = -1 - p
                        n_found += 1
        offsets[s + 1] = n_found
    return offsets, found[:n_found].copy()
