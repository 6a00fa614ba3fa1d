"""Which types lie inside the records of which other types, each pair listed once."""

from __future__ import annotations

import numpy as np

from shoal.kernels.arrays import Array
from shoal.kernels.decorators import kernel


@kernel
def distinct_inside(offsets: Array, members: Array, rows_at: Array, rows: Array) -> tuple[Array, Array]:
    """For each type, list the distinct types inside its records: counted first, then written. O(entries).

    Record ``j`` holds the types ``members[offsets[j]:offsets[j + 1]]``; ``rows`` are the records of each type.
    """
    n = rows_at.size - 1
    bounds, seen = np.zeros(n + 1, np.int64), np.full(n, -1, np.int64)
    found = np.empty(0, np.int32)
    for is_counted in (False, True):
        seen[:] = -1
        at = 0
        for t in range(n):
            for r in range(rows_at[t], rows_at[t + 1]):
                for e in range(offsets[rows[r]], offsets[rows[r] + 1]):
                    if seen[members[e]] != t:
                        seen[members[e]] = t
                        if is_counted:
                            found[at] = members[e]
                        at += 1
            bounds[t + 1] = at
        if not is_counted:
            found = np.empty(at, np.int32)
    return bounds, found
