"""Choose groups that fit together, and the cheapest group for a row that is left over."""

from __future__ import annotations

import numpy as np

from shoal.kernels.arrays import Array
from shoal.kernels.decorators import kernel
from shoal.kernels.relaxation_boxes import Lattice


@kernel
def fitting_together(
    starts: Array, rows: Array, counts: Array, uses: Array, order: Array, weights: Array, sure: float, enough: int
) -> Array:
    """Which groups to take, in this order, so that no row is in two of them: all that are used to ``sure`` or more.

    Others follow until the groups have ``enough`` rows. ``weights`` are how many of each row are left. O(rows of the
    groups).
    """
    left, is_taken, n = weights.copy(), np.zeros(uses.size, np.bool_), 0
    for group in order:
        if n >= enough and uses[group] < sure:
            break
        fits = True
        for t in range(starts[group], starts[group + 1]):
            fits &= left[rows[t]] >= counts[t]
        if fits:
            is_taken[group] = True
            for t in range(starts[group], starts[group + 1]):
                left[rows[t]] -= counts[t]
                n += counts[t]
    return is_taken


@kernel
def cheapest_homes(lattice: Lattice, groups: Array, n_groups: int, rows: Array) -> Array:
    """The group that each of these distinct rows joins at the least cost, one after the other.

    ``groups[i]`` is the group of member ``i``, given as a pair of the group and a distinct row; every group has one.
    O(rows · groups · columns · levels).
    """
    n_columns = lattice.first.size - 1
    levels, one = np.zeros((n_groups, n_columns), np.int64), np.full(n_groups, -1, np.int64)
    sizes, costs = np.zeros(n_groups, np.int64), np.zeros(n_groups)
    for at in range(groups.shape[0]):
        group, row = groups[at]
        sizes[group] += 1
        one[group] = row if one[group] < 0 else one[group]
        for j in range(n_columns):
            level = max(levels[group, j], lattice.first[j])
            while lattice.nodes[level, row] != lattice.nodes[level, one[group]]:
                level += 1
            levels[group, j] = level
    for group in range(n_groups):
        for j in range(n_columns):
            costs[group] += lattice.costs[lattice.at[levels[group, j]] + lattice.nodes[levels[group, j], one[group]]]
    homes = np.zeros(rows.size, np.int64)
    for at in range(rows.size):
        row, least, cost = rows[at], np.inf, 0.0
        for group in range(n_groups):
            joined = 0.0
            for j in range(n_columns):
                level = levels[group, j]
                while lattice.nodes[level, row] != lattice.nodes[level, one[group]]:
                    level += 1
                joined += lattice.costs[lattice.at[level] + lattice.nodes[level, row]]
            if joined * (sizes[group] + 1) - costs[group] * sizes[group] < least:
                least, homes[at], cost = joined * (sizes[group] + 1) - costs[group] * sizes[group], group, joined
        home = homes[at]
        sizes[home] += 1
        costs[home] = cost
        for j in range(n_columns):
            while lattice.nodes[levels[home, j], row] != lattice.nodes[levels[home, j], one[home]]:
                levels[home, j] += 1
    return homes
