"""Convert group numbers to lists of members, and compute statistics of groups."""

from __future__ import annotations

import numpy as np

from shoal.kernels.arrays import Array
from shoal.kernels.decorators import kernel
from shoal.kernels.small import sort_part


@kernel
def members_of(ids: Array, n_groups: int) -> tuple[Array, Array]:
    """List the members of each group, ascending: ``members[offsets[g]:offsets[g + 1]]``. O(rows)."""
    offsets = np.zeros(n_groups + 1, np.int64)
    for i in range(ids.size):
        offsets[ids[i] + 1] += 1
    for g in range(n_groups):
        offsets[g + 1] += offsets[g]
    cursor = offsets.copy()
    members = np.empty(ids.size, np.int32)
    for i in range(ids.size):
        g = ids[i]
        members[cursor[g]] = i
        cursor[g] += 1
    return offsets, members


@kernel
def extremes(offsets: Array, members: Array, codes: Array) -> tuple[Array, Array]:
    """Smallest and largest code of each (non-empty) group. O(members)."""
    n_groups = offsets.size - 1
    low = np.empty(n_groups, np.int32)
    high = np.empty(n_groups, np.int32)
    for g in range(n_groups):
        first = codes[members[offsets[g]]]
        smallest, largest = first, first
        for p in range(offsets[g] + 1, offsets[g + 1]):
            code = codes[members[p]]
            smallest = min(smallest, code)
            largest = max(largest, code)
        low[g] = smallest
        high[g] = largest
    return low, high


@kernel
def count_distinct(offsets: Array, members: Array, codes: Array, n_values: int) -> Array:
    """Number of distinct codes in each group. O(members + values) time, O(values) memory."""
    n_groups = offsets.size - 1
    seen = np.zeros(n_values, np.int64)
    counts = np.zeros(n_groups, np.int64)
    for g in range(n_groups):
        for p in range(offsets[g], offsets[g + 1]):
            code = codes[members[p]]
            if seen[code] != g + 1:
                seen[code] = g + 1
                counts[g] += 1
    return counts


@kernel
def sets_of(offsets: Array, members: Array, codes: Array, n_values: int) -> tuple[Array, Array]:
    """The set of codes in each group as an ascending list: ``(set_offsets, set_members)``.

    O(members · log of the largest set) time, O(members + values) memory.
    """
    n_groups = offsets.size - 1
    seen = np.zeros(n_values, np.int64)
    set_offsets = np.zeros(n_groups + 1, np.int64)
    found = np.empty(members.size, np.int32)
    n_found = np.int64(0)  # no literal: numba would compile the sort once more
    for g in range(n_groups):
        for p in range(offsets[g], offsets[g + 1]):
            code = codes[members[p]]
            if seen[code] != g + 1:
                seen[code] = g + 1
                found[n_found] = code
                n_found += 1
        sort_part(found, set_offsets[g], n_found)
        set_offsets[g + 1] = n_found
    return set_offsets, found[:n_found].copy()
