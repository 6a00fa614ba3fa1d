"""The effect of splitting a cell on the equivalence classes."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shoal.kernels.arrays import Array
from shoal.kernels.decorators import kernel


class Parts(NamedTuple):
    """The parts into which each item would cut its cell.

    The parts of item ``i`` are ``p`` from ``items[i]`` to ``items[i + 1] − 1``: the rows whose leaf in column
    ``columns[p]`` is between ``lows[p]`` and ``highs[p]``, each of which then costs ``changes[p]`` more.
    """

    items: Array
    columns: Array
    lows: Array
    highs: Array
    changes: Array


class Rows(NamedTuple):
    """The distinct rows: ``order[c]`` lists them by leaf in column ``c``, those of a leaf from ``starts[c, leaf]``.

    ``weights`` says how often each occurs. ``least`` is what these rows cost at least in the rest of the search,
    ``now`` what they cost now, both summed over equal rows; ``now`` is used only if costs are not ``by_size`` of the
    class. A suppressed row costs ``lost``.
    """

    order: Array
    starts: Array
    weights: Array
    least: Array
    now: Array
    by_size: bool
    lost: float


@kernel
def split_effects(parts: Parts, rows: Rows, classes: Array, sizes: Array, floor: int) -> tuple[Array, ...]:
    """The effect of cutting an item's cell, for each item separately.

    Only rows of ``classes`` with at least ``floor`` of ``sizes`` count. Returns the weight of the rows that end up in
    parts of classes below ``floor``, and what they would cost at least if not suppressed; the number of parts that are
    not a whole class; and the change in the cost of all rows. O(rows of the cells).
    """
    n_items = parts.items.size - 1
    lost, n_cut = np.zeros((2, n_items), np.int64)
    least, change = np.zeros((2, n_items))
    inside = np.zeros(sizes.size, np.int64)
    sums = np.zeros((2, sizes.size))
    touched = np.empty(sizes.size, np.int64)
    for i in range(n_items):
        for p in range(parts.items[i], parts.items[i + 1]):
            c, n_touched = parts.columns[p], 0
            for at in range(rows.starts[c, parts.lows[p]], rows.starts[c, parts.highs[p] + 1]):
                row = rows.order[c, at]
                group = classes[row]
                if sizes[group] < floor:
                    continue
                if inside[group] == 0:
                    touched[n_touched] = group
                    n_touched += 1
                inside[group] += rows.weights[row]
                sums[0, group] += rows.least[row]
                sums[1, group] += rows.now[row]
            for t in range(n_touched):
                group = touched[t]
                n = inside[group]
                before = float(n * sizes[group]) if rows.by_size else sums[1, group]
                after = float(n * n) if rows.by_size else before + n * parts.changes[p]
                n_cut[i] += n < sizes[group]
                if n < floor:
                    lost[i] += n
                    least[i] += sums[0, group]
                    after = n * rows.lost
                change[i] += after - before
                inside[group] = 0
                sums[0, group] = sums[1, group] = 0.0
    return lost, least, n_cut, change
