"""Which rows could share a class: for each pattern, the groups of rows that it makes equal, if large enough."""

from __future__ import annotations

import numpy as np

from shoal.kernels.arrays import Array
from shoal.kernels.decorators import kernel
from shoal.kernels.patterns_sweep import large_groups, turn
from shoal.kernels.small import root


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
    for i in range(numbers.size):
        larger[i] = numbers[i]
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
    n_members, n_lists, in_use = np.int64(0), np.int64(0), False
    for row in range(n_rows):
        in_use |= chosen[row] >= 0
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
                sizes[n_lists] = counts[g]
                homes[n_lists] = p
                n_lists += 1
    offsets = np.zeros(n_lists + 1, np.int64)
    for g in range(n_lists):
        offsets[g + 1] = offsets[g] + sizes[g]
    return offsets, members[:n_members].copy(), homes[:n_lists].copy()


@kernel
def islands(offsets: Array, members: Array, n_rows: int) -> Array:
    """The number of each row's part: rows that no chain of lists connects are in different parts. O(members α)."""
    parent = np.arange(n_rows, dtype=np.int32)
    for g in range(offsets.size - 1):
        for e in range(offsets[g], offsets[g + 1]):
            pair = (members[offsets[g]], members[e])
            roots = np.empty(2, np.int32)
            for side in range(2):
                roots[side] = root(parent, pair[side])
            parent[max(roots[0], roots[1])] = min(roots[0], roots[1])
    numbers = np.empty(n_rows, np.int32)
    n_parts = 0
    for row in range(n_rows):
        first = root(parent, row)
        if first == row:
            numbers[row] = n_parts
            n_parts += 1
        else:
            numbers[row] = numbers[first]
    return numbers
