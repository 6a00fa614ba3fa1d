"""Partition a sorted table, and form rings inside the parts."""

from __future__ import annotations

import numpy as np

from shoal.kernels.arrays import Array
from shoal.kernels.decorators import kernel


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
