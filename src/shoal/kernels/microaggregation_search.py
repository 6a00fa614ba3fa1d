"""Simulated annealing for groups of k to 2k − 1 points: move rows, swap rows, dissolve groups, create groups."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shoal.kernels.arrays import Array
from shoal.kernels.clustering_noise import below, fraction
from shoal.kernels.decorators import inner, kernel

_STRUCTURAL = 0.02
"""The share of proposals that change the number of groups."""

_FAR = 12.0
"""A change that is worse by this many temperatures is rejected without drawing a random number."""


class Partition(NamedTuple):
    """Groups of rows: the group and the place of each row; the rows, the sum and the size of each group."""

    homes: Array
    places: Array
    members: Array
    sums: Array
    sizes: Array


@inner
def _partition(points: Array, homes: Array, k: int) -> Partition:
    n_rows, n_groups = points.shape[0], points.shape[0] // k + 1
    made = Partition(
        homes,
        np.zeros(n_rows, np.int64),
        np.zeros((n_groups, 2 * k + 1), np.int64),
        np.zeros((n_groups, points.shape[1])),
        np.zeros(n_groups, np.int64),
    )
    for row in range(n_rows):
        home = homes[row]
        made.members[home, made.sizes[home]] = row
        made.places[row] = made.sizes[home]
        made.sizes[home] += 1
        made.sums[home] += points[row]
    return made


@inner
def _distance(points: Array, made: Partition, row: int, group: int) -> float:
    """The squared distance of a row to the mean of a group."""
    total, size = 0.0, made.sizes[group]
    for q in range(points.shape[1]):
        total += (points[row, q] - made.sums[group, q] / size) ** 2
    return total


@inner
def _joining(points: Array, made: Partition, row: int, group: int) -> float:
    """The increase in squared error if a row joins a group."""
    size = made.sizes[group]
    return _distance(points, made, row, group) * size / (size + 1) if size else 0.0


@inner
def _leaving(points: Array, made: Partition, row: int) -> float:
    """The change in squared error if a row leaves its group, which is never positive."""
    size = made.sizes[made.homes[row]]
    return -_distance(points, made, row, made.homes[row]) * size / (size - 1) if size > 1 else 0.0


@inner
def _move(points: Array, made: Partition, row: int, group: int) -> None:
    home, place = made.homes[row], made.places[row]
    last = made.members[home, made.sizes[home] - 1]
    made.members[home, place], made.places[last] = last, place
    made.sizes[home] -= 1
    made.members[group, made.sizes[group]], made.places[row] = row, made.sizes[group]
    made.sizes[group] += 1
    made.homes[row] = group
    for q in range(points.shape[1]):
        made.sums[home, q] -= points[row, q]
        made.sums[group, q] += points[row, q]


@inner
def _takes(change: float, temperature: float, state: Array) -> bool:
    if change <= 0:
        return True
    return change < _FAR * temperature and fraction(state) < np.exp(-change / temperature)


@inner
def _swapped(points: Array, made: Partition, one: int, other: int) -> float:
    """The change in squared error if two rows of different groups change places."""
    a, b = made.homes[one], made.homes[other]
    squares = along_a = along_b = 0.0
    for q in range(points.shape[1]):
        step = points[other, q] - points[one, q]
        squares += step * step
        along_a += made.sums[a, q] * step
        along_b += made.sums[b, q] * step
    return float(-(2 * along_a + squares) / made.sizes[a] - (squares - 2 * along_b) / made.sizes[b])


@inner
def _swap(points: Array, made: Partition, one: int, other: int) -> None:
    a, b, place, there = made.homes[one], made.homes[other], made.places[one], made.places[other]
    made.members[a, place], made.members[b, there] = other, one
    made.places[one], made.places[other] = there, place
    made.homes[one], made.homes[other] = b, a
    for q in range(points.shape[1]):
        step = points[other, q] - points[one, q]
        made.sums[a, q] += step
        made.sums[b, q] -= step


@inner
def _undo(points: Array, made: Partition, rows: Array, groups: Array, n: int) -> None:
    for t in range(n - 1, -1, -1):
        _move(points, made, rows[t], groups[t])


@inner
def _dissolve(
    points: Array, near: Array, k: int, made: Partition, group: int, temperature: float, state: Array
) -> bool:
    """Send each row of a group to the nearby group where it adds least; return whether the change was kept."""
    rows, groups, change = np.empty(k, np.int64), np.empty(k, np.int64), 0.0
    for t in range(k):
        row, best, target = made.members[group, made.sizes[group] - 1], np.inf, -1
        for other in near[row]:
            home = made.homes[other]
            if home != group and made.sizes[home] < 2 * k - 1:
                added = _joining(points, made, row, home)
                if added < best:
                    best, target = added, home
        if target < 0:
            _undo(points, made, rows, groups, t)
            return False
        change += best + _leaving(points, made, row)
        _move(points, made, row, target)
        rows[t], groups[t] = row, group
    if _takes(change, temperature, state):
        made.sums[group] = 0.0
        return True
    _undo(points, made, rows, groups, k)
    return False


@inner
def _found(
    points: Array, near: Array, k: int, made: Partition, row: int, group: int, temperature: float, state: Array
) -> bool:
    """Make a group of a row and its nearest rows that their groups can spare; return whether the change was kept."""
    rows, groups, change, n = np.empty(k, np.int64), np.empty(k, np.int64), 0.0, 0
    for t in range(-1, near.shape[1]):
        other = row if t < 0 else near[row, t]
        home = made.homes[other]
        if made.sizes[home] <= k:
            if t < 0:
                return False
            continue
        if home != group:
            change += _leaving(points, made, other) + _joining(points, made, other, group)
            _move(points, made, other, group)
            rows[n], groups[n] = other, home
            n += 1
        if n == k:
            break
    if n == k and _takes(change, temperature, state):
        return True
    _undo(points, made, rows, groups, n)
    made.sums[group] = 0.0
    return False


@kernel
def anneal(points: Array, near: Array, k: int, homes: Array, n_steps: int, temperature: float, state: Array) -> None:
    """Make ``n_steps`` proposals at one temperature; ``homes``, groups of k to 2k − 1 rows, is changed in place.

    A row moves to the group of a neighbour if sizes permit, or changes places with a row of it; or a group of k is
    dissolved, or a new one created. A change that lowers the squared error is always accepted; one that raises it by x,
    with probability exp(−x / temperature). O(dimensions) a proposal, k · neighbours times that if groups are created or
    dissolved.
    """
    made = _partition(points, homes, k)
    empty = np.flatnonzero(made.sizes == 0)
    free, n_free = np.empty(made.sizes.size, np.int64), empty.size
    free[:n_free] = empty
    for _ in range(n_steps):
        row, kind = below(state, points.shape[0]), fraction(state)
        home = homes[row]
        if kind < _STRUCTURAL / 2:
            if made.sizes[home] == k and _dissolve(points, near, k, made, home, temperature, state):
                free[n_free] = home
                n_free += 1
            continue
        if kind < _STRUCTURAL:
            if n_free and _found(points, near, k, made, row, free[n_free - 1], temperature, state):
                n_free -= 1
            continue
        target = homes[near[row, int(near.shape[1] * fraction(state) ** 2)]]
        if target == home:
            continue
        if made.sizes[home] > k and made.sizes[target] < 2 * k - 1 and fraction(state) < 0.5:
            if _takes(_leaving(points, made, row) + _joining(points, made, row, target), temperature, state):
                _move(points, made, row, target)
            continue
        other = made.members[target, below(state, made.sizes[target])]
        if _takes(_swapped(points, made, row, other), temperature, state):
            _swap(points, made, row, other)
