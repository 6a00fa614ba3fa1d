"""Groups of different sensitive values along an order, as Wong et al. 2010 (section 7.4) make them for HS."""

from __future__ import annotations

import numpy as np

from shoal.core.arrays import Codes


def diverse_groups(values: Codes, size: int) -> Codes:
    """The group of each row: ``size`` different values each, taken as early in the order as can be.

    A value that more than one row in ``size`` of those after the next group would have must be in it, so that what is
    left can still be grouped (Ghinita et al. 2007, section 5). Rows that are left over join the last group without
    their value. O(rows · log rows + groups · values).
    """
    n_values = int(values.max()) + 1
    by_value = np.argsort(values, kind="stable")
    counts = np.bincount(values, minlength=n_values)
    cursor = np.concatenate([[0], np.cumsum(counts)[:-1]])
    groups, n_groups, n_left = np.full(values.size, -1, np.int32), 0, values.size
    while np.count_nonzero(counts) >= size:
        heads = np.where(counts > 0, by_value[np.minimum(cursor, values.size - 1)], values.size)
        heads[counts * size > n_left - size] -= values.size  # these first
        chosen = np.argsort(heads, kind="stable")[:size]
        groups[by_value[cursor[chosen]]] = n_groups
        cursor[chosen] += 1
        counts[chosen] -= 1
        n_groups, n_left = n_groups + 1, n_left - size
    for row in np.flatnonzero(groups < 0):
        taken = np.unique(groups[(values == values[row]) & (groups >= 0)])
        free = np.setdiff1d(np.arange(n_groups), taken)
        groups[row] = free[-1]
    return groups
