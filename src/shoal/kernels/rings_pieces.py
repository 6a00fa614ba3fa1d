"""Deal the rows of a part out to pieces in which no value is too frequent."""

from __future__ import annotations

import numpy as np

from shoal.kernels.arrays import Array
from shoal.kernels.decorators import kernel
from shoal.kernels.grouping import members_of


@kernel
def deal_part(values: Array, n_values: int, n_pieces: int, most: int) -> Array:
    """The piece of each row of one part, such that no piece has more than ``most`` rows of one value.

    Requires at most ``most · n_pieces`` rows of each value. Each piece first takes the rows that the later pieces could
    not hold, then the first rows in order whose value it does not have ``most`` times yet, up to its share of the
    remaining rows. So neighbouring rows stay together as far as possible. A piece has at least ``rows // n_pieces``
    rows. O(rows · pieces) at worst, close to O(rows) in practice.
    """
    n = values.size
    piece_of = np.empty(n, np.int32)
    for i in range(n):
        piece_of[i] = -1
    left, taken = np.empty(n_values, np.int64), np.empty(n_values, np.int64)
    at, queue = members_of(values, n_values)
    for v in range(n_values):
        left[v] = at[v + 1] - at[v]
    first, n_left = 0, n
    for piece in range(n_pieces):
        later = n_pieces - piece - 1
        size = 0
        for v in range(n_values):
            taken[v] = 0
            for _ in range(left[v] - most * later):
                while piece_of[queue[at[v]]] >= 0:
                    at[v] += 1
                piece_of[queue[at[v]]] = piece
                taken[v] += 1
                size += 1
        wanted = n_left // (later + 1)
        i = first
        while size < wanted:
            if piece_of[i] < 0 and taken[values[i]] < most:
                piece_of[i] = piece
                taken[values[i]] += 1
                size += 1
            i += 1
        n_left -= size
        for v in range(n_values):
            left[v] -= taken[v]
        while first < n and piece_of[first] >= 0:
            first += 1
    return piece_of


@kernel
def deal(values: Array, offsets: Array, n_values: int, n_pieces: Array, most: int) -> Array:
    """Run ``deal_part`` on the parts ``offsets[p] … offsets[p + 1] − 1``; pieces are numbered consecutively."""
    piece_of = np.empty(values.size, np.int32)
    base = 0
    for p in range(offsets.size - 1):
        first, last = offsets[p], offsets[p + 1]
        dealt = deal_part(values[first:last], n_values, n_pieces[p], most)
        for i in range(first, last):
            piece_of[i] = base + dealt[i - first]
        base += n_pieces[p]
    return piece_of
