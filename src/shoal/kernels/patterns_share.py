"""Which rows could share a class: for each pattern, the groups of rows that it makes equal, if large enough."""

from __future__ import annotations

import numpy as np

from shoal.kernels.arrays import Array
from shoal.kernels.decorators import kernel
from shoal.kernels.patterns_sweep import large_groups, turn


@kernel
def cheapest(planes: Array, patterns: Array, idle: Array, weights: Array, floor: int) -> Array:
    """The first pattern under which at least ``floor`` rows share each row's key; −1 if there is none.

    Patterns are ordered by cost, so no row can pay less than the cost of this one. O(rows · patterns).
    """
    n_rows = planes.shape[1]
    keys = np.zeros(n_rows, np.uint64)
    now = np.full(patterns.shape[1], -1, np.int32)
    first = np.full(n_rows, -1, np.int32)
    n_open = n_rows
    for p in range(patterns.shape[0]):
        if n_open == 0:
            break
        if not idle[p]:
            turn(keys, planes, now, patterns[p])
            for row in large_groups(keys, weights, floor)[0]:
                if first[row] < 0:
                    first[row] = p
                    n_open -= 1
    return first


@kernel
def wanted_groups(
    found: Array, ids: Array, n_groups: int, cost: float, pattern: int, limits: Array, chosen: Array
) -> Array:
    """Which groups contain a row that would gain from this pattern (its limit is above the cost) or has it already."""
    wanted = np.zeros(n_groups, np.bool_)
    for a in range(found.size):
        wanted[ids[a]] |= limits[found[a]] > cost or chosen[found[a]] == pattern
    return wanted


@kernel
def lists_of(found: Array, ids: Array, wanted: Array, sizes: Array, members: Array, n_members: int) -> int:
    """Append the wanted groups, one after the other, to ``members``; fill ``sizes`` and return their total."""
    sizes[:] = 0
    for a in range(found.size):
        sizes[ids[a]] += wanted[ids[a]]
    starts = np.empty(sizes.size, np.int64)
    total = 0
    for g in range(sizes.size):
        starts[g] = n_members + total
        total += sizes[g]
    for a in range(found.size):
        if wanted[ids[a]]:
            members[starts[ids[a]]] = found[a]
            starts[ids[a]] += 1
    return total


@kernel
def with_room(numbers: Array, size: int) -> Array:
    """The same numbers, in a larger array if ``size`` would not fit."""
    if size <= numbers.size:
        return numbers
    larger = np.empty(2 * size, np.int32)
    larger[: numbers.size] = numbers
    return larger


@kernel
def sharing(
    planes: Array,
    patterns: Array,
    idle: Array,
    costs: Array,
    weights: Array,
    floor: int,
    limits: Array,
    chosen: Array,
    most: int,
) -> tuple[Array, Array, Array]:
    """All groups of at least ``floor`` rows that some row wants, as lists of rows, with the pattern of each.

    Once there are more than ``most`` members, only groups that already have rows assigned are added. O(rows · patterns)
    time, O(members) memory.
    """
    n_rows = planes.shape[1]
    keys = np.zeros(n_rows, np.uint64)
    now = np.full(patterns.shape[1], -1, np.int32)
    members = np.empty(4 * n_rows + 16, np.int32)
    sizes = np.empty(n_rows + 16, np.int32)
    homes = np.empty(n_rows + 16, np.int32)
    n_members, n_lists, in_use = np.int64(0), np.int64(0), (chosen >= 0).any()
    for p in range(patterns.shape[0]):
        if n_members > most:
            if not in_use:
                break
            limits[:] = -np.inf
        if idle[p]:
            continue
        turn(keys, planes, now, patterns[p])
        found, ids, n_groups = large_groups(keys, weights, floor)
        wanted = wanted_groups(found, ids, n_groups, costs[p], p, limits, chosen)
        members = with_room(members, n_members + found.size)
        sizes = with_room(sizes, n_lists + n_groups)
        homes = with_room(homes, n_lists + n_groups)
        counts = np.zeros(n_groups, np.int32)
        n_members += lists_of(found, ids, wanted, counts, members, n_members)
        for g in range(n_groups):
            if wanted[g]:
                sizes[n_lists], homes[n_lists] = counts[g], p
                n_lists += 1
    offsets = np.zeros(n_lists + 1, np.int64)
    offsets[1:] = np.cumsum(sizes[:n_lists])
    return offsets, members[:n_members].copy(), homes[:n_lists].copy()
