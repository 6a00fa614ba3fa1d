"""Find nodes of a lattice above another, count the rows of classes by hierarchy node, and add up what they cost."""

from __future__ import annotations

import numpy as np

from shoal.kernels.arrays import Array
from shoal.kernels.decorators import kernel


@kernel
def first_above(levels: Array, node: Array) -> int:
    """The first row of ``levels`` that is below ``node`` in no column; −1 if there is none. O(nodes · columns)."""
    for i in range(levels.shape[0]):
        c = 0
        while c < node.size and levels[i, c] >= node[c]:
            c += 1
        if c == node.size:
            return i
    return -1


@kernel
def count_by_node(
    keys: Array, sizes: Array, flags: Array, words: Array, shifts: Array, masks: Array, starts: Array
) -> Array:
    """How many rows of the flagged classes each hierarchy node holds: node ``v`` of column ``c`` at ``starts[c] + v``.

    The node of class ``i`` in column ``c`` is the bit field ``(keys[words[c], i] >> shifts[c]) & masks[c]``.
    O(classes + flagged classes · columns + nodes); ``starts`` ends with the number of nodes of all columns.
    """
    counts = np.zeros(starts[-1], np.int64)
    chosen = np.flatnonzero(flags)
    for c in range(words.size):
        row, shift, mask, at = keys[words[c]], shifts[c], masks[c], starts[c]
        for i in chosen:
            counts[at + np.int64((row[i] >> shift) & mask)] += sizes[i]
    return counts


@kernel
def pay_suppressed(sizes: Array, kept: Array, codes: Array, prices: Array, starts: Array) -> Array:
    """For each column, the sum of size · price over the classes that are not kept.

    ``prices[starts[j] + codes[j, c]]`` is what a row of class ``c`` pays in column ``j``.
    O(classes + suppressed classes · columns).
    """
    n_columns, n_classes = codes.shape
    paid = np.zeros(n_columns)
    for c in range(n_classes):
        if not kept[c]:
            for j in range(n_columns):
                paid[j] += sizes[c] * prices[starts[j] + codes[j, c]]
    return paid
