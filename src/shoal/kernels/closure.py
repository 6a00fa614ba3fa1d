"""Close intervals of leaves to nodes of a hierarchy."""

from __future__ import annotations

import numpy as np

from shoal.kernels.arrays import Array
from shoal.kernels.decorators import kernel


@kernel
def cover(lows: Array, highs: Array, node_low: Array, node_high: Array) -> tuple[Array, Array, Array]:
    """The smallest node around each interval, and its level.

    ``node_low[level, leaf]`` and ``node_high[level, leaf]`` bound the node above a leaf. O(intervals · levels).
    """
    n = lows.size
    low = np.empty(n, np.int32)
    high = np.empty(n, np.int32)
    levels = np.empty(n, np.int32)
    for i in range(n):
        leaf, last = lows[i], highs[i]
        level = 0
        while node_high[level, leaf] < last:
            level += 1
        low[i] = node_low[level, leaf]
        high[i] = node_high[level, leaf]
        levels[i] = level
    return low, high, levels
