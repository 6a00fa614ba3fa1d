"""Mix the values of many groups into the beliefs about many people."""

from __future__ import annotations

import numpy as np

from shoal.kernels.arrays import Array
from shoal.kernels.decorators import kernel
from shoal.kernels.small import sort_part


@kernel
def _touch(
    m: int,
    starts: Array,
    groups: Array,
    weights: Array,
    offsets: Array,
    values: Array,
    counts: Array,
    totals: Array,
    touched: Array,
) -> int:
    """Add up mixture ``m`` in ``totals`` and list the values in it; return how many."""  # fmt: skip
    n_touched = 0
    for turn in range(2):
        for j in range(starts[m], starts[m + 1]):
            for i in range(offsets[groups[j]], offsets[groups[j] + 1]):
                if turn == 0:
                    totals[values[i]] = 0.0
                elif weights[j] * counts[i] > 0.0:
                    if totals[values[i]] == 0.0:
                        touched[n_touched] = values[i]
                        n_touched += 1
                    totals[values[i]] += weights[j] * counts[i]
    return n_touched


@kernel
def mix(
    starts: Array, groups: Array, weights: Array, offsets: Array, values: Array, counts: Array, n_values: int
) -> tuple[Array, Array, Array]:
    """For each mixture, the values that occur in it, ascending, and their shares: ``(offsets, values, shares)``.

    Mixture ``m`` consists of ``groups[starts[m]:starts[m + 1]]``, each member of a group having the given weight; group
    ``g`` has ``values[i]`` ``counts[i]`` times for ``i`` in ``offsets[g] …``. O(entries touched + found · log found).
    """
    n = starts.size - 1
    found_at = np.zeros(n + 1, np.int64)
    totals, touched = np.zeros(n_values), np.empty(n_values, np.int32)
    for m in range(n):
        found_at[m + 1] = found_at[m] + _touch(m, starts, groups, weights, offsets, values, counts, totals, touched)
    found, shares = np.empty(found_at[n], np.int32), np.empty(found_at[n])
    for m in range(n):
        n_touched = _touch(m, starts, groups, weights, offsets, values, counts, totals, touched)
        sort_part(touched, 0, n_touched)
        whole = 0.0
        for i in range(n_touched):
            whole += totals[touched[i]]
        for i in range(n_touched):
            found[found_at[m] + i], shares[found_at[m] + i] = touched[i], totals[touched[i]] / whole
    return found_at, found, shares
