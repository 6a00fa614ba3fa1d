"""Find nodes of a lattice between two others, and add up what suppressed classes cost on all levels."""

from __future__ import annotations

import numpy as np

from shoal.kernels.arrays import Array
from shoal.kernels.decorators import kernel


@kernel
def between(levels: Array, flags: Array, low: Array, high: Array) -> Array:
    """The flagged rows of ``levels`` that are in no column below ``low`` or above ``high``.

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
def pay_on_all_levels(
    sizes: Array, flags: Array, firsts: Array, codes: Array, prices: Array, starts: Array, widths: Array, tops: Array
) -> Array:
    """For each column and each level up to ``tops``: the sum over the flagged classes of size · price.

    ``prices[starts[c] + level · widths[c] + leaf]`` is what a row pays; the leaf of class ``i`` in column ``c`` is
    ``codes[c, firsts[i]]``. O(classes + flagged classes · levels of all columns).
    """
    n_columns = tops.size
    paid = np.zeros((n_columns, tops.max() + 1))
    for i in range(sizes.size):
        if flags[i]:
            for c in range(n_columns):
                at = starts[c] + codes[c, firsts[i]]
                for level in range(tops[c] + 1):
                    paid[c, level] += sizes[i] * prices[at + level * widths[c]]
    return paid
