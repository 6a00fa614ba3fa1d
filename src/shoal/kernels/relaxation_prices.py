"""Solve a linear program over groups by an augmented Lagrangian: prices of rows, tolls of cuts and uses of groups.

The program covers each row by groups that may be taken in parts, at the least cost. For fixed prices, the uses of
groups minimise cost less prices plus a penalty for rows that are covered too little or too much; one use after the
other is set to its best value, which changes the prices of the group's rows at once. Both together converge to the
optimum in far fewer steps than prices alone.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shoal.kernels.arrays import Array
from shoal.kernels.decorators import kernel

_SELDOM = 8
"""Groups that are neither used nor too dear are looked at in every so many sweeps only."""


class Groups(NamedTuple):
    """Groups, what they cost, and the cuts they pay.

    Group ``g`` has ``counts[t]`` rows equal to distinct row ``rows[t]`` for ``starts[g] ≤ t < starts[g + 1]``, and pays
    the toll of cut ``cuts[at]`` ``times[at]`` times for ``offsets[g] ≤ at < offsets[g + 1]``.
    """

    starts: Array
    rows: Array
    counts: Array
    costs: Array
    offsets: Array
    cuts: Array
    times: Array


@kernel
def count_tolls(
    starts: Array, rows: Array, counts: Array, pays: Array, at: Array, cuts: Array, divisors: Array
) -> tuple[Array, Array, Array]:
    """The cuts that each group pays (CSR), and how often; groups that do not ``pays`` have none.

    O(rows of the groups · cuts of a row).
    """
    n, held, room = pays.size, np.zeros(divisors.size, np.int64), 0
    for group in range(n):
        if pays[group]:
            for t in range(starts[group], starts[group + 1]):
                room += at[rows[t] + 1] - at[rows[t]]
    offsets, paid, times, end = np.zeros(n + 1, np.int64), np.empty(room, np.int32), np.empty(room, np.int32), 0
    for group in range(n):
        stop = starts[group + 1] if pays[group] else starts[group]
        for t in range(starts[group], stop):
            for place in range(at[rows[t]], at[rows[t] + 1]):
                held[cuts[place]] += counts[t]
        for t in range(starts[group], stop):
            for place in range(at[rows[t]], at[rows[t] + 1]):
                cut = cuts[place]
                if held[cut] >= divisors[cut]:
                    paid[end], times[end] = cut, held[cut] // divisors[cut]
                    end += 1
                held[cut] = 0
        offsets[group + 1] = end
    return offsets, paid[:end].copy(), times[:end].copy()


@kernel
def use(
    groups: Groups, uses: Array, prices: Array, tolls: Array, least: Array, most: Array, penalty: float, n_sweeps: int
) -> None:
    """Set the use of each group in turn to what is best for it alone; prices of its rows and its tolls follow.

    ``prices`` and ``tolls`` may leave their bounds, ``least`` to ``most`` and 0 upwards; the values that count are then
    the bounds. Modifies ``uses``, ``prices`` and ``tolls``. O(sweeps · rows and cuts of the groups).
    """
    n = groups.costs.size
    idle = np.zeros(n, np.bool_)
    for sweep in range(n_sweeps):
        for group in range(n):
            if idle[group] and sweep % _SELDOM != 0:
                continue
            over, bend = -groups.costs[group], 0.0
            for t in range(groups.starts[group], groups.starts[group + 1]):
                row, count = groups.rows[t], groups.counts[t]
                over += count * min(most[row], max(least[row], prices[row]))
                bend += count * count
            for at in range(groups.offsets[group], groups.offsets[group + 1]):
                over -= groups.times[at] * max(0.0, tolls[groups.cuts[at]])
                bend += groups.times[at] * groups.times[at]
            idle[group] = over <= 0 and uses[group] == 0.0
            step = max(-uses[group], over / (bend * penalty))
            if idle[group] or step == 0:
                continue
            uses[group] += step
            for t in range(groups.starts[group], groups.starts[group + 1]):
                prices[groups.rows[t]] -= penalty * groups.counts[t] * step
            for at in range(groups.offsets[group], groups.offsets[group + 1]):
                tolls[groups.cuts[at]] += penalty * groups.times[at] * step


@kernel
def covered(groups: Groups, uses: Array, n_rows: int, n_cuts: int) -> tuple[Array, Array]:
    """How much of each row the groups cover, and how often each cut is paid."""
    rows, cuts = np.zeros(n_rows), np.zeros(n_cuts)
    for group in range(groups.costs.size):
        if uses[group] > 0:
            for t in range(groups.starts[group], groups.starts[group + 1]):
                rows[groups.rows[t]] += groups.counts[t] * uses[group]
            for at in range(groups.offsets[group], groups.offsets[group + 1]):
                cuts[groups.cuts[at]] += groups.times[at] * uses[group]
    return rows, cuts
