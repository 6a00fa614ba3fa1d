"""Greedy covers: sets of rows are picked one by one, and overlaps are resolved at once."""

from __future__ import annotations

import numpy as np

from shoal.kernels.arrays import Array
from shoal.kernels.decorators import kernel


@kernel
def take(near: Array, homes: Array, sizes: Array, k: int, n_groups: int) -> tuple[int, Array]:
    """Make a group of k to 2k − 1 of the rows ``near`` (at least k rows), those in no group yet first.

    Returns the number of groups and the rows that had none. If fewer than k had none, rows are taken from groups with
    more than k; if that is not enough, the new rows join a group of k that has a row here. So groups keep k to 2k − 1
    rows, and two sets are merged only if they share a row. O(rows near).
    """
    mine, size = np.empty(2 * k - 1, np.int64), 0
    for row in near:
        if homes[row] < 0 and size < mine.size:
            homes[row], mine[size] = n_groups, row
            size += 1
    n_fresh = size
    for row in near:
        if size < k and homes[row] != n_groups and sizes[homes[row]] > k:
            sizes[homes[row]] -= 1
            homes[row], mine[size] = n_groups, row
            size += 1
    into = n_groups
    if size < k:
        for row in near:
            if homes[row] != n_groups:
                into = homes[row]
                break
        for i in range(size):
            homes[mine[i]] = into
    sizes[into] += size
    return max(n_groups, into + 1), mine[:n_fresh].copy()


@kernel
def distances(codes: Array, row: int, found: Array) -> None:
    """In how many columns of ``codes[column, row]`` each row differs from the given one."""
    found[:] = 0
    for j in range(codes.shape[0]):
        value = codes[j, row]
        for i in range(found.size):
            found[i] += codes[j, i] != value


@kernel
def count_balls(codes: Array, counts: Array, start: int, end: int) -> None:
    """Count rows ``start … end − 1`` in ``counts[centre, d]`` by the number ``d`` of columns that differ."""
    found = np.empty(codes.shape[1], np.int32)
    for row in range(start, end):
        distances(codes, row, found)
        for centre in range(found.size):
            counts[centre, found[centre]] += 1


@kernel
def _cheapest_ball(totals: Array, counts: Array, k: int) -> tuple[int, int]:
    """The centre and radius with the least radius per uncovered row (up to 2k − 1 count); ties go to the most rows."""
    best, best_radius, best_fresh = -1, 0, 1
    for centre in range(totals.shape[0]):
        n_near, n_free = 0, 0
        for radius in range(totals.shape[1]):
            n_near += totals[centre, radius]
            n_free += counts[centre, radius]
            if n_near < k or n_free == 0:
                continue
            fresh = min(2 * k - 1, n_free)
            gain = best_radius * fresh - radius * best_fresh
            if best < 0 or gain > 0 or (gain == 0 and fresh > best_fresh):
                best, best_radius, best_fresh = centre, radius, fresh
    return best, best_radius


@kernel
def pick_balls(
    codes: Array,
    k: int,
    totals: Array,
    counts: Array,
    homes: Array,
    sizes: Array,
    turns: Array,
    radii: Array,
    most: int,
) -> int:
    """Pick the cheapest ball repeatedly, ``most`` times or until all rows have a group; return the number of picks.

    ``turns[row]`` gets the number of the pick that covered the row, ``radii[pick]`` the pick's radius; −1 if none.
    ``counts`` covers the rows without a group, ``totals`` all rows. O(rows · columns) a row.
    """
    n = homes.size
    found, near = np.empty(n, np.int32), np.empty(n, np.int64)
    n_groups, n_picks, n_left = homes.max() + 1, 0, (homes < 0).sum()
    turn = turns.max() + 1
    while n_left > 0 and n_picks < most:
        centre, radius = _cheapest_ball(totals, counts, k)
        distances(codes, centre, found)
        n_near = 0
        for distance in range(radius + 1):
            for row in range(n):
                if found[row] == distance:
                    near[n_near] = row
                    n_near += 1
        n_groups, fresh = take(near[:n_near], homes, sizes, k, n_groups)
        for row in fresh:
            distances(codes, row, found)
            for other in range(n):
                counts[other, found[other]] -= 1
            turns[row] = turn
        radii[turn] = radius
        turn, n_picks, n_left = turn + 1, n_picks + 1, n_left - fresh.size
    return n_picks


@kernel
def pick_patterns(
    ids: Array,
    k: int,
    keys: Array,
    uncovered: Array,
    heads: Array,
    following: Array,
    homes: Array,
    sizes: Array,
    turns: Array,
    masks: Array,
) -> None:
    """Pick the patterns with the least price per row that has no group yet, in the order of ``keys``.

    ``ids[mask, row]`` is the pattern of a row when the columns of a mask are suppressed, −1 if fewer than k rows have
    it; ``uncovered[pattern]`` counts its rows without a group. ``keys`` are pairs of a mask and a number of rows (at
    most 2k − 1), cheapest first; ``heads[mask, number]`` begins a list of patterns, continued in ``following``.
    Patterns that have lost rows since then move to a later list. ``turns[row]`` gets the number of the pick that
    covered the row, ``masks[pick]`` the pick's mask. O(keys + rows · masks + picks · rows).
    """
    n, longest = homes.size, 2 * k - 1
    near, n_groups, turn = np.empty(n, np.int64), homes.max() + 1, turns.max() + 1
    for key in range(keys.shape[0]):
        mask, wanted = keys[key, 0], keys[key, 1]
        pattern = heads[mask, wanted]
        while pattern >= 0:
            after, n_free = following[pattern], min(longest, uncovered[pattern])
            while n_free == wanted:
                n_near = 0
                for row in range(n):
                    if ids[mask, row] == pattern:
                        near[n_near] = row
                        n_near += 1
                n_groups, fresh = take(near[:n_near], homes, sizes, k, n_groups)
                for row in fresh:
                    turns[row] = turn
                    for other in range(ids.shape[0]):
                        if ids[other, row] >= 0:
                            uncovered[ids[other, row]] -= 1
                masks[turn] = mask
                turn += 1
                n_free = min(longest, uncovered[pattern])
            if n_free > 0:
                following[pattern] = heads[mask, n_free]
                heads[mask, n_free] = pattern
            pattern = after
