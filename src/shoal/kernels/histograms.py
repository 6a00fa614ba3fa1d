"""Count values inside groups, and split groups by a second numbering of their members."""

from __future__ import annotations

import numpy as np

from shoal.kernels.arrays import Array
from shoal.kernels.decorators import kernel
from shoal.kernels.small import sort_part


@kernel
def tally(offsets: Array, members: Array, codes: Array, n_values: int) -> tuple[Array, Array, Array]:
    """The distinct codes of each group, ascending, and how often each occurs: ``(offsets, values, counts)``.

    O(members + distinct^1.3) time, O(members + values) memory.
    """
    n_groups = offsets.size - 1
    seen = np.zeros(n_values, np.int64)
    starts = np.zeros(n_groups + 1, np.int64)
    values = np.empty(members.size, np.int32)
    counts = np.empty(members.size, np.int64)
    n_found = 0
    for g in range(n_groups):
        for p in range(offsets[g], offsets[g + 1]):
            code = codes[members[p]]
            if seen[code] == 0:
                values[n_found] = code
                n_found += 1
            seen[code] += 1
        sort_part(values, starts[g], n_found)
        for i in range(starts[g], n_found):
            counts[i] = seen[values[i]]
            seen[values[i]] = 0
        starts[g + 1] = n_found
    return starts, values[:n_found].copy(), counts[:n_found].copy()


@kernel
def split(offsets: Array, members: Array, ids: Array, n_ids: int) -> tuple[Array, Array, Array]:
    """Split each group into its members of equal ``ids``: ``(offsets, members, the group that each part belongs to)``.

    O(members + ids) time and memory.
    """
    n_groups = offsets.size - 1
    seen = np.zeros(n_ids, np.int64)
    found = np.empty(members.size, np.int32)
    starts = np.zeros(members.size + 1, np.int64)
    whole = np.empty(members.size, np.int64)
    parts = np.empty(members.size, np.int32)
    n_found = 0
    for g in range(n_groups):
        first = n_found
        for p in range(offsets[g], offsets[g + 1]):
            label = ids[members[p]]
            if seen[label] == 0:
                found[n_found] = label
                n_found += 1
            seen[label] += 1
        for i in range(first, n_found):
            whole[i] = g
            starts[i + 1] = starts[i] + seen[found[i]]
            seen[found[i]] = starts[i]
        for p in range(offsets[g], offsets[g + 1]):
            label = ids[members[p]]
            parts[seen[label]] = members[p]
            seen[label] += 1
        for i in range(first, n_found):
            seen[found[i]] = 0
    return starts[: n_found + 1].copy(), parts[: starts[n_found]].copy(), whole[:n_found].copy()
