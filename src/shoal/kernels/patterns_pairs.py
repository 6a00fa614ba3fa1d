"""Bounds on what it brings to take three rows out of a matching."""

from __future__ import annotations

import numpy as np

from shoal.kernels.arrays import Array
from shoal.kernels.decorators import kernel


@kernel
def lightest_triples(offsets: Array, members: Array, labels: Array, shared: Array, joined: Array) -> Array:
    """For each list the least weight of three of its members, none where it has fewer (the largest number).

    Three vertices weigh their labels and, for every two of them that a blossom holds, its label; ``shared[u, v]`` is
    the sum over blossoms with both. Blossoms are nested or apart, so those with all three are the least of three such
    sums. A fourth vertex may go with them, ``joined[u]`` is the sum over blossoms with it and ``u``: those are nested,
    and it makes two with what is odd in them. O(sum of sizes³).
    """
    least = np.full(offsets.size - 1, np.iinfo(np.int64).max, np.int64)
    for g in range(offsets.size - 1):
        for a in range(offsets[g], offsets[g + 1]):
            u = members[a]
            for b in range(a + 1, offsets[g + 1]):
                v = members[b]
                both = shared[u, v]
                weight = labels[u] + labels[v] + both
                for c in range(b + 1, offsets[g + 1]):
                    w = members[c]
                    one, other = shared[u, w], shared[v, w]
                    total = weight + labels[w] + one + other - 2 * min(both, min(one, other))
                    i, j, k = joined[u], joined[v], joined[w]
                    middle = max(min(i, j), min(max(i, j), k))
                    least[g] = min(least[g], total + i + j + k - 2 * middle)
    return least
