"""Add up what the suppressed classes of a lattice node cost."""

from __future__ import annotations

import numpy as np

from shoal.kernels.arrays import Array
from shoal.kernels.decorators import kernel


@kernel
def pay_suppressed(sizes: Array, kept: Array, codes: Array, prices: Array, starts: Array) -> Array:
    """For each column, the sum of size · price over the classes that are not kept.

    ``prices[starts[j] + codes[j, c]]`` is what a row of class ``c`` pays in column ``j``.
    O(classes + suppressed classes · columns).
    """
    n_columns, n_classes = codes.shape
    paid = np.zeros(n_columns)
    for c in range(n_classes):
        if not kept[c]:
            for j in range(n_columns):
                paid[j] += sizes[c] * prices[starts[j] + codes[j, c]]
    return paid
