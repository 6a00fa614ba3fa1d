"""Partition a sorted table, form rings inside the parts, and deal out rows so that no value is too frequent."""

from __future__ import annotations

import numpy as np

from shoal.kernels.arrays import Array
from shoal.kernels.decorators import kernel
from shoal.kernels.grouping import members_of


@kernel
def _mend(bounds: Array, n: int, k: int, next_only: bool) -> int:
    """Enlarge parts of fewer than ``k`` rows; ``bounds[:n + 1]`` are where parts begin. Return how many parts remain.

    A small part takes rows from a neighbour that can spare them, the larger one if both can; if neither can, it is
    merged with the smaller one. With ``next_only`` the neighbour is the next part, or the previous one for the last
    part. Parts are contiguous, so moving rows means moving a bound.
    """
    kept, j = 0, 0  # parts up to kept are done; those from j on have not been examined
    while j < n:
        start, stop = bounds[j], bounds[j + 1]
        j += 1
        while stop - start < k:
            before = start - bounds[kept - 1] if kept > 0 else 0
            after = bounds[j + 1] - stop if j < n else 0
            if next_only and after > 0:
                before = 0
            if before == 0 and after == 0:
                break
            wanted = k - (stop - start)
            if max(before, after) >= wanted + k:
                if before > after:
                    start -= wanted
                else:
                    stop += wanted
                    bounds[j] = stop
            elif after == 0 or 0 < before <= after:
                kept -= 1
                start = bounds[kept]
            else:
                stop = bounds[j + 1]
                j += 1
        bounds[kept], bounds[kept + 1] = start, stop
        kept += 1
    return kept


@kernel
def part_sorted(codes: Array, k: int, as_published: bool) -> Array:
    """Where the parts of a lexicographically sorted table begin, and where the last one ends.

    Figure 8 of Wong et al.: rows are split by the first column, parts of fewer than ``k`` rows are enlarged with rows
    of a neighbour, and the parts that have a single value are split by the next column. With ``as_published``, a part
    that a column does not split is final, and parts are enlarged from the next part, as the paper's figures show.
    O(rows · columns).
    """
    n_columns, n_rows = codes.shape
    starts, finer = np.zeros(n_rows + 1, np.int64), np.zeros(n_rows + 1, np.int64)
    is_open, is_open_finer = np.ones(n_rows + 1, np.bool_), np.ones(n_rows + 1, np.bool_)
    bounds = np.zeros(n_rows + 1, np.int64)
    starts[1] = n_rows
    n_parts = 1
    for c in range(n_columns):
        n_finer = 0
        for p in range(n_parts):
            first, last = starts[p], starts[p + 1]
            n = 1
            bounds[0] = first
            for i in range(first + 1, last if is_open[p] else first):
                if codes[c, i] != codes[c, i - 1]:
                    bounds[n] = i
                    n += 1
            bounds[n] = last
            is_parted = is_open[p] and (n > 1 or not as_published)
            for q in range(_mend(bounds, n, k, as_published)):
                is_open_finer[n_finer] = is_parted and codes[c, bounds[q]] == codes[c, bounds[q + 1] - 1]
                n_finer += 1
                finer[n_finer] = bounds[q + 1]
        n_parts = n_finer
        starts, finer = finer, starts
        is_open, is_open_finer = is_open_finer, is_open
    return starts[: n_parts + 1]


@kernel
def ring_edges(offsets: Array, k: int) -> Array:
    """The records that each row matches when record ``r`` is built from the ``k`` rows from ``r`` on, in a ring.

    Rows and records are numbered from the first of their part. O(rows · k).
    """
    edges = np.empty((offsets[-1], k), np.int32)
    for p in range(offsets.size - 1):
        g = offsets[p + 1] - offsets[p]
        for i in range(g):
            for back in range(k):
                record = i - back
                edges[offsets[p] + i, back] = record if record >= 0 else record + g
    return edges


@kernel
def deal_part(values: Array, n_values: int, n_pieces: int, most: int) -> Array:
    """The piece of each row of one part, such that no piece has more than ``most`` rows of one value.

    Requires at most ``most · n_pieces`` rows of each value. Each piece first takes the rows that the later pieces could
    not hold, then the first rows in order whose value it does not have ``most`` times yet, up to its share of the
    remaining rows. So neighbouring rows stay together as far as possible. A piece has at least ``rows // n_pieces``
    rows. O(rows · pieces) at worst, close to O(rows) in practice.
    """
    n = values.size
    piece_of, taken = np.full(n, -1, np.int32), np.empty(n_values, np.int64)
    bounds, queue = members_of(values, n_values)
    at, left = bounds[:-1].copy(), np.diff(bounds)
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
