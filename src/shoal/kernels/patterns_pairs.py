"""Bounds on the gain from removing three rows from a matching."""

from __future__ import annotations

import numpy as np

from shoal.kernels.arrays import Array
from shoal.kernels.decorators import kernel


@kernel
def lightest_triples(offsets: Array, members: Array, labels: Array, shared: Array, joined: Array) -> Array:
    """For each list, the least weight of three of its members; the largest integer if it has fewer.

    Three vertices weigh their labels plus, for every two of them inside a blossom, that blossom's label;
    ``shared[u, v]`` is the sum over blossoms that contain both. Blossoms are nested or disjoint, so the sum over those
    that contain all three is the smallest of three such sums. A fourth vertex may join them, and ``joined[u]`` is the
    sum over blossoms that contain it and ``u``: these are nested, and in each the fourth vertex pairs with an odd one
    left. O(sum of sizes³).
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
