"""Mix the values of many groups into the beliefs of many people."""

from __future__ import annotations

import numpy as np
from numba import njit

from shoal.kernels.arrays import Array
from shoal.kernels.small import sort_part


@njit(cache=True, nogil=True)
def mix(
    starts: Array, groups: Array, weights: Array, offsets: Array, values: Array, counts: Array, n_values: int
) -> tuple[Array, Array, Array]:
    """For each mixture the values that occur in it, ascending, and their shares: ``(offsets, values, shares)``.

    Mixture ``m`` takes ``groups[starts[m]:starts[m + 1]]``, each member of a group with the weight given; group ``g``
    has ``values[i]`` ``counts[i]`` times for ``i`` in ``offsets[g] …``. O(entries touched + found · log found).
    """
    n = starts.size - 1
    found_at = np.zeros(n + 1, np.int64)
    found, shares = np.empty(1024, np.int32), np.empty(1024)
    totals, touched = np.zeros(n_values), np.empty(n_values, np.int32)
    at = 0
    for m in range(n):
        n_touched, total = 0, 0.0
        for j in range(starts[m], starts[m + 1]):
            for i in range(offsets[groups[j]], offsets[groups[j] + 1]):
                weight = weights[j] * counts[i]
                if weight > 0.0:
                    if totals[values[i]] == 0.0:
                        touched[n_touched] = values[i]
                        n_touched += 1
                    totals[values[i]] += weight
                    total += weight
        if at + n_touched > found.size:
            more, more_shares = np.empty(2 * at + n_touched, np.int32), np.empty(2 * at + n_touched)
            more[:at], more_shares[:at] = found[:at], shares[:at]
            found, shares = more, more_shares
        sort_part(touched, 0, n_touched)
        for i in range(n_touched):
            value = touched[i]
            found[at], shares[at] = value, totals[value] / total
            totals[value] = 0.0
            at += 1
        found_at[m + 1] = at
    return found_at, found[:at].copy(), shares[:at].copy()
