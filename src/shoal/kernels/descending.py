"""Send rows down a tree of cuts."""

from __future__ import annotations

import numpy as np

from shoal.kernels.arrays import Array
from shoal.kernels.decorators import kernel


@kernel
def descend(codes: Array, column: Array, at: Array, child: Array) -> Array:
    """The leaf of each row.

    At node ``v``, codes of ``column[v]`` up to ``at[v]`` go to node ``child[v]``, others to the one after it. A node
    without a column (−1) is a leaf, and ``child[v]`` is its number. O(rows · depth).
    """
    leaves = np.empty(codes.shape[1], np.int32)
    for i in range(codes.shape[1]):
        node = 0
        while column[node] >= 0:
            node = child[node] + (1 if codes[column[node], i] > at[node] else 0)
        leaves[i] = child[node]
    return leaves
