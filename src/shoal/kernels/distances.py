"""Earth mover's distances between the values of each group and those of the whole table.

If a group of ``n`` rows out of ``N`` has a value ``c`` times and the table has it ``C`` times, the group's excess of it
is ``c / n − C / N``. All computation uses the integer ``c · N − C · n`` (64 bits: exact up to three billion rows) and
divides by ``n · N`` only at the end, so that a distance of exactly ``t`` comes out as ``t``.
"""

from __future__ import annotations

import numpy as np

from shoal.kernels.arrays import Array
from shoal.kernels.decorators import kernel


@kernel
def equal(offsets: Array, values: Array, counts: Array, totals: Array) -> Array:
    """Equal distances between all values: half the sum of the absolute differences, which is the sum of the excesses.

    O(distinct values of all groups).
    """
    distances = np.zeros(offsets.size - 1)
    n_rows = totals.sum()
    for g in range(offsets.size - 1):
        n = counts[offsets[g] : offsets[g + 1]].sum()
        moved = 0.0
        for i in range(offsets[g], offsets[g + 1]):
            moved += max(0, counts[i] * n_rows - totals[values[i]] * n)
        distances[g] = moved / (float(n) * n_rows)
    return distances


@kernel
def ordered(offsets: Array, values: Array, counts: Array, totals: Array) -> Array:
    """Values on a line, neighbours 1 / (values − 1) apart: the sum of the absolute running differences.

    O(groups · values).
    """
    distances = np.zeros(offsets.size - 1)
    n_rows, n_values = totals.sum(), totals.size
    excess = np.empty(n_values, np.int64)
    for g in range(offsets.size - 1):
        n = counts[offsets[g] : offsets[g + 1]].sum()
        for v in range(n_values):
            excess[v] = -totals[v] * n
        for i in range(offsets[g], offsets[g + 1]):
            excess[values[i]] += counts[i] * n_rows
        running, moved = 0, 0.0
        for v in range(n_values):
            running += excess[v]
            moved += abs(running)
        distances[g] = moved / (float(n) * n_rows * max(1, n_values - 1))
    return distances


@kernel
def hierarchical(offsets: Array, values: Array, counts: Array, totals: Array, parents: Array, widths: Array) -> Array:
    """Distance between two values: the level of their lowest common node divided by the root's level.

    There are ``widths[level]`` nodes on each level; ``parents`` lists, level after level, the place of each node's
    parent. Excess and deficit among the children of a node are balanced below it, at the price of its level.
    O(groups · nodes).
    """
    distances = np.zeros(offsets.size - 1)
    n_rows, height = totals.sum(), widths.size - 1
    excess = np.empty(totals.size, np.int64)
    above, below = np.empty((2, totals.size), np.int64)
    for g in range(offsets.size - 1):
        n = counts[offsets[g] : offsets[g + 1]].sum()
        for v in range(totals.size):
            excess[v] = -totals[v] * n
        for i in range(offsets[g], offsets[g + 1]):
            excess[values[i]] += counts[i] * n_rows
        moved, at = 0.0, 0
        for level in range(1, height + 1):
            above[: widths[level]] = 0
            below[: widths[level]] = 0
            for v in range(widths[level - 1]):
                if excess[v] > 0:
                    above[parents[at + v]] += excess[v]
                else:
                    below[parents[at + v]] -= excess[v]
            at += widths[level - 1]
            for v in range(widths[level]):
                moved += float(min(above[v], below[v])) * level
                excess[v] = above[v] - below[v]
        distances[g] = moved / (float(n) * n_rows * max(1, height))
    return distances
