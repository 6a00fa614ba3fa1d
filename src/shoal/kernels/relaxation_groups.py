"""Find the groups that are priced furthest above their cost, given prices of rows and tolls of cuts.

A *cut* is a set of rows with a divisor d. A group pays the cut's toll once for every d of its rows in the set. Without
tolls the dearest group of a box holds its k dearest rows; with tolls it is found by branch and bound.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shoal.kernels.arrays import Array
from shoal.kernels.decorators import inner, kernel
from shoal.kernels.relaxation_boxes import Boxes

_EXACT = 1e-13
"""An excess that is left to rounding."""

_TURNS = 60
"""How often a box is corrected at most."""


class Cuts(NamedTuple):
    """Row ``i`` is in the cuts ``cuts[at[i]:at[i + 1]]``; a group pays ``tolls[c]`` for every ``divisors[c]`` rows."""

    at: Array
    cuts: Array
    divisors: Array
    tolls: Array


class _Seek(NamedTuple):
    """Room for a search in one box: copies of its rows, sums of their worth, the choice so far, and the best one.

    ``held[c]`` is the number of chosen rows in cut ``c``, and ``certain[c]`` how often every group pays its toll; both
    are 0 outside of a search.
    """

    rows: Array
    sums: Array
    chosen: Array
    tried: Array
    worth: Array
    best: Array
    held: Array
    certain: Array


@inner
def _seek(boxes: Boxes, first: int, last: int, weights: Array, k: int, n_cuts: int) -> _Seek:
    """Room for the largest of these boxes."""
    n, most = 1, 2 * k + 1
    for box in range(first, last):
        n_copies = 0
        for at in range(boxes.offsets[box], boxes.offsets[box + 1]):
            n_copies += min(weights[boxes.members[at]], 2 * k - 1)
        n = max(n, n_copies)
    return _Seek(
        np.empty(n, np.int64),
        np.zeros(n + 1),
        np.empty(most, np.int64),
        np.empty(most, np.int64),
        np.zeros(most),
        np.empty(most, np.int64),
        np.zeros(n_cuts, np.int64),
        np.zeros(n_cuts, np.int64),
    )


@inner
def _sort(members: Array, start: int, stop: int, prices: Array) -> None:
    """Sort by price, highest first, by insertion because they are nearly sorted."""
    for t in range(start + 1, stop):
        row, at = members[t], t - 1
        while at >= start and prices[members[at]] < prices[row]:
            members[at + 1] = members[at]
            at -= 1
        members[at + 1] = row


@inner
def _fill(boxes: Boxes, box: int, weights: Array, prices: Array, k: int, seek: _Seek) -> tuple[int, int]:
    """List the copies of a box's rows, dearest first; return how many, and how many are priced above the box's cost."""
    n, n_above, cost = 0, 0, boxes.costs[box]
    for at in range(boxes.offsets[box], boxes.offsets[box + 1]):
        row = boxes.members[at]
        for _ in range(min(weights[row], 2 * k - 1)):
            seek.rows[n] = row
            seek.sums[n + 1] = seek.sums[n] + prices[row] - cost
            n += 1
            n_above = n if prices[row] > cost else n_above
    return n, n_above


@inner
def _certainly(cuts: Cuts, n: int, k: int, seek: _Seek) -> float:
    """The tolls that every group of k of these ``n`` rows pays, because too few of the rows are outside the cut."""
    toll = 0.0
    for t in range(n):
        for at in range(cuts.at[seek.rows[t]], cuts.at[seek.rows[t] + 1]):
            seek.certain[cuts.cuts[at]] += 1
    for t in range(n):
        for at in range(cuts.at[seek.rows[t]], cuts.at[seek.rows[t] + 1]):
            cut = cuts.cuts[at]
            if seek.certain[cut] > 0:
                times = max(0, k - n + seek.certain[cut]) // cuts.divisors[cut]
                seek.certain[cut] = -times
                toll += times * cuts.tolls[cut]
    return toll


@inner
def _forget(cuts: Cuts, n: int, seek: _Seek) -> None:
    for t in range(n):
        for at in range(cuts.at[seek.rows[t]], cuts.at[seek.rows[t] + 1]):
            seek.certain[cuts.cuts[at]] = 0


@inner
def _enter(cuts: Cuts, row: int, seek: _Seek) -> float:
    """Count a chosen row; return the further tolls that it brings."""
    toll = 0.0
    for at in range(cuts.at[row], cuts.at[row + 1]):
        cut = cuts.cuts[at]
        seek.held[cut] += 1
        times = seek.held[cut] // cuts.divisors[cut]
        if times * cuts.divisors[cut] == seek.held[cut] and times > -seek.certain[cut]:
            toll += cuts.tolls[cut]
    return toll


@inner
def _leave(cuts: Cuts, row: int, seek: _Seek) -> None:
    """Count a row no longer."""
    for at in range(cuts.at[row], cuts.at[row + 1]):
        seek.held[cuts.cuts[at]] -= 1


@inner
def _search(cuts: Cuts, n: int, n_above: int, k: int, least: float, limit: int, seek: _Seek) -> tuple[float, int, bool]:
    """The group of k to 2k − 1 rows that is worth most after tolls, if more than ``least``; at most ``limit`` tries.

    A branch ends where its worth and that of the dearest rows that may still be added do not exceed the best so far.
    The last value tells whether there were enough tries.
    """
    best, size, depth, tries, most = least, 0, 0, 0, 2 * k - 1
    seek.worth[0], seek.tried[0] = -_certainly(cuts, n, k, seek), -1
    while tries < limit:
        t = seek.tried[depth] + 1
        first = seek.chosen[depth - 1] + 1 if depth > 0 else 0
        while first < t < n and seek.rows[t] == seek.rows[t - 1]:
            t += 1
        more = min(n - t, max(k - depth, min(n_above - t, most - depth)))
        may = t < n and depth < most and more >= k - depth and more > 0
        if not (may and seek.worth[depth] + seek.sums[t + more] - seek.sums[t] > best):
            if depth == 0:
                break
            depth -= 1
            _leave(cuts, seek.rows[seek.chosen[depth]], seek)
            continue
        tries += 1
        seek.tried[depth] = seek.chosen[depth] = t
        toll = _enter(cuts, seek.rows[t], seek)
        seek.worth[depth + 1] = seek.worth[depth] + seek.sums[t + 1] - seek.sums[t] - toll
        depth += 1
        seek.tried[depth] = t
        if depth >= k and seek.worth[depth] > best:
            best, size = seek.worth[depth], depth
            for at in range(depth):
                seek.best[at] = seek.rows[seek.chosen[at]]
    while depth > 0:
        depth -= 1
        _leave(cuts, seek.rows[seek.chosen[depth]], seek)
    _forget(cuts, n, seek)
    return best, size, tries < limit


@inner
def _take_first(size: int, seek: _Seek) -> None:
    """Make the dearest rows the best group."""
    for at in range(size):
        seek.best[at] = seek.rows[at]


@inner
def _dearest(
    boxes: Boxes,
    box: int,
    is_whole: bool,
    weights: Array,
    prices: Array,
    cuts: Cuts,
    k: int,
    least: float,
    limit: int,
    is_sure: bool,
    seek: _Seek,
) -> tuple[float, int]:
    """By how much the dearest group of a box exceeds its cost and tolls, and its size: 0 if not by more than ``least``.

    Groups in boxes whose rows are not all listed pay no toll. If ``is_sure``, and ``limit`` tries are not enough, the
    dearest rows count as if they paid only the tolls that every group pays, so no group exceeds more.
    """
    _sort(boxes.members, boxes.offsets[box], boxes.offsets[box + 1], prices)
    n, n_above = _fill(boxes, box, weights, prices, k, seek)
    if n < k or (seek.sums[k] <= least and seek.sums[max(k, min(n_above, 2 * k - 1))] <= least):
        return least, 0
    if is_whole:
        over, size, is_done = _search(cuts, n, n_above, k, least, limit, seek)
        if is_done or not is_sure:
            return over, size
        size = min(n, max(k, min(n_above, 2 * k - 1)))
        _take_first(size, seek)
        return seek.worth[0] + seek.sums[size], size
    if seek.sums[k] <= least:
        return least, 0
    _take_first(k, seek)
    return seek.sums[k], k


@kernel
def dear_groups(
    boxes: Boxes,
    first: int,
    last: int,
    is_whole: Array,
    weights: Array,
    prices: Array,
    cuts: Cuts,
    k: int,
    least: float,
    limit: int,
    rows: Array,
    counts: Array,
) -> Array:
    """The dearest group of each box from ``first`` to ``last`` that exceeds its cost and tolls by more than ``least``.

    Writes its distinct rows and how many of each to ``rows[box − first]`` and ``counts[box − first]``; returns how many
    distinct rows, 0 where there is no group. O(rows of the boxes · tries).
    """
    lengths = np.zeros(last - first, np.int64)
    seek = _seek(boxes, first, last, weights, k, cuts.tolls.size)
    for box in range(first, last):
        _, size = _dearest(boxes, box, is_whole[box], weights, prices, cuts, k, least, limit, False, seek)
        n = 0
        for at in range(size):
            if at == 0 or seek.best[at] != seek.best[at - 1]:
                rows[box - first, n], counts[box - first, n] = seek.best[at], 0
                n += 1
            counts[box - first, n - 1] += 1
        lengths[box - first] = n
    return lengths


@kernel
def lower(boxes: Boxes, is_whole: Array, weights: Array, prices: Array, cuts: Cuts, k: int, limit: int) -> float:
    """Lower the prices of groups that exceed their cost and tolls until no listed box has one; return by how much."""
    lowered, seek = 0.0, _seek(boxes, 0, boxes.costs.size, weights, k, cuts.tolls.size)
    for box in range(boxes.costs.size):
        for _ in range(_TURNS):
            over, size = _dearest(boxes, box, is_whole[box], weights, prices, cuts, k, _EXACT, limit, True, seek)
            if size == 0:
                break
            for at in range(size):
                row = seek.best[at]
                if at == 0 or row != seek.best[at - 1]:
                    prices[row] = max(0.0, prices[row] - over / size * (1 + 1e-9))
                    lowered += over / size * weights[row]
    return lowered
