"""Positions along a Hilbert curve of any dimension and depth."""

from __future__ import annotations

import numpy as np

from shoal.kernels.arrays import Array
from shoal.kernels.decorators import kernel


@kernel
def _turn(point: Array, n_axes: int, n_bits: int) -> None:
    """Replace the coordinates of a point by the bits of its position on the curve, spread over the axes."""
    bit = 1 << (n_bits - 1)
    while bit > 1:
        below = bit - 1
        for axis in range(n_axes):
            if point[axis] & bit:
                point[0] ^= below
            else:
                swap = (point[0] ^ point[axis]) & below
                point[0] ^= swap
                point[axis] ^= swap
        bit >>= 1
    for axis in range(1, n_axes):
        point[axis] ^= point[axis - 1]
    flip, bit = 0, 1 << (n_bits - 1)
    while bit > 1:
        if point[n_axes - 1] & bit:
            flip ^= bit - 1
        bit >>= 1
    for axis in range(n_axes):
        point[axis] ^= flip


@kernel
def curve_positions(ranks: Array, n_bits: int) -> Array:
    """The position of each row of ``ranks[column, row]`` on the curve, as ``words[word, row]``, highest word first.

    Each rank has at most ``n_bits`` bits. As many 63-bit words are used as the columns need, so neither their number
    nor their cardinality is limited. O(rows · columns · bits). The transformation is Skilling's (2004).
    """
    n_columns, n_rows = ranks.shape
    n_words = (n_columns * n_bits + 62) // 63
    words = np.zeros((n_words, n_rows), np.int64)
    point = np.zeros(n_columns, np.int64)
    for i in range(n_rows):
        for c in range(n_columns):
            point[c] = ranks[c, i]
        _turn(point, n_columns, n_bits)
        filled = 0
        for level in range(n_bits - 1, -1, -1):
            for c in range(n_columns):
                words[filled // 63, i] = (words[filled // 63, i] << 1) | ((point[c] >> level) & 1)
                filled += 1
    return words
