"""Microaggregation: groups of at least k points with a small sum of squared distances to their means."""

from __future__ import annotations

import numpy as np

from shoal.kernels.arrays import Array
from shoal.kernels.decorators import inner, kernel


@inner
def _squared(one: Array, other: Array) -> float:
    total = 0.0
    for q in range(one.size):
        total += (one[q] - other[q]) ** 2
    return total


@inner
def _farthest(points: Array, rows: Array, place: Array) -> int:
    far, which = -1.0, -1
    for row in rows:
        distance = _squared(points[row], place)
        if distance > far:
            far, which = distance, row
    return which


@inner
def _nearest(points: Array, rows: Array, row: int, n: int) -> Array:
    """The positions in ``rows`` of the ``n`` rows nearest to ``row``."""
    distances = np.empty(rows.size)
    for t in range(rows.size):
        distances[t] = _squared(points[rows[t]], points[row])
    return np.argsort(distances, kind="mergesort")[:n]


@kernel
def mdav(points: Array, k: int) -> tuple[Array, int]:
    """The group of each of ``points[row, dimension]``, and the number of groups. O(rows² / k · dimensions).

    While at least 3k rows are left: r is the row farthest from their mean, s the row farthest from r, and the k rows
    nearest to r, then the k nearest to s, become groups. If 2k or more are left after that, the k nearest to the row
    farthest from their mean form one group and the others the last.
    """
    homes, n_groups = np.full(points.shape[0], -1, np.int64), 0
    left = np.arange(points.shape[0])
    while left.size >= 2 * k:
        mean = np.zeros(points.shape[1])
        for row in left:
            mean += points[row]
        first = _farthest(points, left, mean / left.size)
        ends = np.array([first, _farthest(points, left, points[first])])
        for end in ends[: 2 if left.size >= 3 * k else 1]:
            if homes[end] >= 0:
                break
            homes[left[_nearest(points, left, end, k)]] = n_groups
            n_groups += 1
            left = left[homes[left] < 0]
    homes[left] = n_groups
    return homes, n_groups + (1 if left.size else 0)


@kernel
def neighbours(points: Array, n: int) -> Array:
    """The ``n`` nearest other rows of each row, nearest first. O(rows² · dimensions)."""
    n_rows = points.shape[0]
    found, distances = np.empty((n_rows, n), np.int64), np.empty(n_rows)
    for row in range(n_rows):
        for other in range(n_rows):
            distances[other] = _squared(points[row], points[other])
        distances[row] = np.inf
        chosen = np.argpartition(distances, n - 1)[:n]
        found[row] = chosen[np.argsort(distances[chosen], kind="mergesort")]
    return found


@kernel
def optimal_runs(values: Array, k: int) -> Array:
    """Cut ascending numbers into runs of k to 2k − 1 with the least squared error; return their starts. O(n · k).

    Hansen and Mukherjee 2003: in one dimension the optimal groups are such runs. There must be at least k numbers.
    """
    n = values.size
    sums, squares = np.zeros(n + 1), np.zeros(n + 1)
    for i in range(n):
        shifted = values[i] - values[n // 2]
        sums[i + 1], squares[i + 1] = sums[i] + shifted, squares[i] + shifted * shifted
    best, start = np.full(n + 1, np.inf), np.zeros(n + 1, np.int64)
    best[0] = 0.0
    for end in range(k, n + 1):
        for begin in range(max(0, end - 2 * k + 1), end - k + 1):
            total = sums[end] - sums[begin]
            cost = best[begin] + squares[end] - squares[begin] - total * total / (end - begin)
            if cost < best[end]:
                best[end], start[end] = cost, begin
    starts, end = np.zeros(n, np.int64), n
    n_runs = 0
    while end > 0:
        end = start[end]
        starts[n_runs] = end
        n_runs += 1
    return starts[:n_runs][::-1].copy()
