"""Find nodes of a lattice between two others, and count the rows of classes by hierarchy node."""

from __future__ import annotations

import numpy as np

from shoal.kernels.arrays import Array
from shoal.kernels.decorators import kernel


@kernel
def between(levels: Array, flags: Array, low: Array, high: Array) -> Array:
    """The indices of the flagged rows of ``levels`` that lie between ``low`` and ``high`` in every column.

    O(nodes · columns) at worst.
    """
    n, n_columns = levels.shape
    found = np.empty(n, np.int64)
    n_found = 0
    for i in range(n):
        if not flags[i]:
            continue
        inside = True
        for c in range(n_columns):
            if levels[i, c] < low[c] or levels[i, c] > high[c]:
                inside = False
                break
        if inside:
            found[n_found] = i
            n_found += 1
    return found[:n_found].copy()


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
