"""Count the people whose values lie inside published cells."""

from __future__ import annotations

import numpy as np

from shoal.kernels.arrays import Array
from shoal.kernels.decorators import kernel


@kernel
def count_inside(cells: Array, allowed: Array, at: Array, widths: Array, codes: Array, weights: Array) -> Array:
    """For each group, the total weight of the people whose codes all lie in its cells.

    ``cells[column, group]`` numbers a cell, ``allowed[at[column] + cell · widths[column] + leaf]`` says whether it
    contains a leaf, and ``codes[column, person]`` are the people. O(groups · people · columns) at worst, but the first
    columns exclude most people.
    """
    n_columns, n_groups = cells.shape
    counts = np.zeros(n_groups, np.int64)
    for g in range(n_groups):
        for i in range(codes.shape[1]):
            inside = True
            for c in range(n_columns):
                if not allowed[at[c] + cells[c, g] * widths[c] + codes[c, i]]:
                    inside = False
                    break
            if inside:
                counts[g] += weights[i]
    return counts
