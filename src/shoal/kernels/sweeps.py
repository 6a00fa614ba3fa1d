"""Propagate numbers between rows and boxes over the pieces of a tree, sums and maxima, both ways; list either.

``offsets`` and ``pieces`` are those of ``shoal.kernels.fitting.pieces``. Rows are given and returned by position. Sums
and maxima are O(pieces + rows), and only positive numbers are ever added, so nothing cancels.
"""

from __future__ import annotations

import numpy as np

from shoal.kernels.arrays import Array
from shoal.kernels.decorators import kernel
from shoal.kernels.fitting import Tree, positions


@kernel
def _up(tree: Tree, values: Array, largest: bool) -> Array:
    """The sum, or the largest, of the values in each node."""
    nodes = np.zeros(tree.starts.size)
    for v in range(nodes.size - 1, -1, -1):
        if tree.rights[v] >= 0:
            left, right = nodes[v + 1], nodes[tree.rights[v]]
            nodes[v] = max(left, right) if largest else left + right
        else:
            for p in range(tree.starts[v], tree.stops[v]):
                nodes[v] = max(nodes[v], values[p]) if largest else nodes[v] + values[p]
    return nodes


@kernel
def gather(tree: Tree, offsets: Array, pieces: Array, values: Array, largest: bool) -> Array:
    """For each box, the sum, or the largest (at least 0), of the values of the rows inside."""
    nodes = _up(tree, values, largest)
    found = np.zeros(offsets.size - 1)
    for s in range(found.size):
        for i in range(offsets[s], offsets[s + 1]):
            piece = pieces[i]
            value = nodes[piece] if piece >= 0 else values[-1 - piece]
            found[s] = max(found[s], value) if largest else found[s] + value
    return found


@kernel
def scatter(tree: Tree, offsets: Array, pieces: Array, amounts: Array, largest: bool) -> Array:
    """For each row, the sum, or the largest (at least 0), of the amounts of the boxes around it."""
    nodes, rows = np.zeros(tree.starts.size), np.zeros(tree.order.size)
    for s in range(amounts.size):
        for i in range(offsets[s], offsets[s + 1]):
            piece = pieces[i]
            if piece >= 0:
                nodes[piece] = max(nodes[piece], amounts[s]) if largest else nodes[piece] + amounts[s]
            else:
                rows[-1 - piece] = max(rows[-1 - piece], amounts[s]) if largest else rows[-1 - piece] + amounts[s]
    for v in range(nodes.size):
        if tree.rights[v] >= 0:
            for side in range(2):
                child = v + 1 if side == 0 else tree.rights[v]
                nodes[child] = max(nodes[child], nodes[v]) if largest else nodes[child] + nodes[v]
        else:
            for p in range(tree.starts[v], tree.stops[v]):
                rows[p] = max(rows[p], nodes[v]) if largest else rows[p] + nodes[v]
    return rows


@kernel
def list_boxes(tree: Tree, offsets: Array, pieces: Array, wanted: Array) -> tuple[Array, Array]:
    """The boxes around each of the ``wanted`` positions (ascending), ``boxes[starts[i]:starts[i + 1]]``.

    O(pieces · log + boxes found).
    """
    before = np.zeros(tree.order.size + 1, np.int64)
    for p in wanted:
        before[p + 1] = 1
    for p in range(tree.order.size):
        before[p + 1] += before[p]
    starts = np.zeros(wanted.size + 1, np.int64)
    boxes = np.empty(0, np.int32)
    cursor = starts[:-1].copy()
    for turn in range(2):
        for s in range(offsets.size - 1):
            for i in range(offsets[s], offsets[s + 1]):
                first, last = positions(tree, pieces[i])
                for at in range(before[first], before[last]):
                    if turn == 0:
                        starts[at + 1] += 1
                    else:
                        boxes[cursor[at]] = s
                        cursor[at] += 1
        if turn == 0:
            starts = np.cumsum(starts)
            boxes, cursor = np.empty(starts[-1], np.int32), starts[:-1].copy()
    return starts, boxes


@kernel
def list_rows(tree: Tree, offsets: Array, pieces: Array) -> tuple[Array, Array]:
    """List the rows of each box from its pieces: ``rows[bounds[s]:bounds[s + 1]]``, in no particular order. O(rows)."""
    bounds = np.zeros(offsets.size, np.int64)
    for s in range(offsets.size - 1):
        n = bounds[s]
        for i in range(offsets[s], offsets[s + 1]):
            first, last = positions(tree, pieces[i])
            n += last - first
        bounds[s + 1] = n
    rows = np.empty(bounds[-1], np.int32)
    at = 0
    for piece in pieces:
        first, last = positions(tree, piece)
        for p in range(first, last):
            rows[at] = tree.order[p]
            at += 1
    return bounds, rows


@kernel
def add_up(offsets: Array, members: Array, kept: Array, of_members: Array, of_lists: Array) -> tuple[Array, Array]:
    """Over the kept entries: the sum over its lists for each member, and the sum over its members for each list.

    ``of_lists`` and ``of_members`` are the numbers that are added up. O(entries).
    """
    by_member, by_list = np.zeros(of_members.size, np.int64), np.zeros(of_lists.size, np.int64)
    for s in range(of_lists.size):
        for e in range(offsets[s], offsets[s + 1]):
            if kept[e]:
                by_member[members[e]] += of_lists[s]
                by_list[s] += of_members[members[e]]
    return by_member, by_list
