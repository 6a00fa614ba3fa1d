"""List which rows lie inside which boxes, one by one."""

from __future__ import annotations

import numpy as np

from shoal.kernels.arrays import Array
from shoal.kernels.decorators import kernel
from shoal.kernels.fitting import Tree


@kernel
def list_rows(tree: Tree, offsets: Array, pieces: Array) -> tuple[Array, Array]:
    """List the rows of each box from its pieces: ``rows[bounds[s]:bounds[s + 1]]``, in no particular order. O(rows)."""
    bounds = np.zeros(offsets.size, np.int64)
    for s in range(offsets.size - 1):
        n = bounds[s]
        for i in range(offsets[s], offsets[s + 1]):
            piece = pieces[i]
            n += tree.stops[piece] - tree.starts[piece] if piece >= 0 else 1
        bounds[s + 1] = n
    rows = np.empty(bounds[-1], np.int32)
    at = 0
    for piece in pieces:
        first, last = (tree.starts[piece], tree.stops[piece]) if piece >= 0 else (-1 - piece, -piece)
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
