"""Check prices and tolls against every box of a lattice, in integers, by code that did not find them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shoal.kernels.arrays import Array
from shoal.kernels.decorators import inner, kernel
from shoal.kernels.relaxation_boxes import Lattice
from shoal.kernels.relaxation_groups import Cuts

SIZE, COST, OVER = 0, 1, 2
"""What is known of each box: the number of its distinct rows (0 unless its k dearest are priced above its cost), its
cost, and by how much those exceed it."""


@inner
def _numbered(before: Array, nodes: Array, n_nodes: int, order: Array, table: Array, keys: Array, out: Array) -> int:
    """Number the distinct pairs of a previous number and a node, in the order of the rows; return how many. O(rows)."""
    n, mask = 0, table.size - 1
    for at in range(order.size):
        row = order[at]
        key = before[row] * n_nodes + nodes[row]
        place = (key ^ (key >> 15)) * 40503 & mask
        while table[place] >= 0 and keys[table[place]] != key:
            place = (place + 1) & mask
        if table[place] < 0:
            table[place], keys[n] = n, key
            n += 1
        out[row] = table[place]
    table[:] = -1
    return n


class _Trial(NamedTuple):
    """Room to try groups of one box: copies of its rows, sums of their worth, and which of them are taken or passed.

    ``held[c]`` counts the taken rows of cut ``c`` and ``sure[c]`` how often each group pays it; 0 outside of a trial.
    """

    rows: Array
    sums: Array
    states: Array
    held: Array
    sure: Array


@inner
def _list(own: Array, weights: Array, prices: Array, k: int, cost: int, trial: _Trial) -> tuple[int, int]:
    """List copies of the rows, highest price first; return how many, and how many of them are priced above the cost."""
    n, above = 0, 0
    for row in own:
        for _ in range(min(weights[row], 2 * k - 1)):
            trial.rows[n], trial.sums[n + 1] = row, trial.sums[n] + prices[row] - cost
            n += 1
            above += prices[row] > cost
    return n, above


@inner
def _unavoidable(own: Array, weights: Array, k: int, n: int, cuts: Cuts, trial: _Trial) -> int:
    """What every group of k of the ``n`` listed copies pays: all but those outside a cut are in it."""
    toll = 0
    for row in own:
        for at in range(cuts.at[row], cuts.at[row + 1]):
            trial.held[cuts.cuts[at]] += min(weights[row], 2 * k - 1)
    for row in own:
        for at in range(cuts.at[row], cuts.at[row + 1]):
            cut = cuts.cuts[at]
            if trial.held[cut] > 0:
                trial.sure[cut] = max(0, k - (n - trial.held[cut])) // cuts.divisors[cut]
                toll += trial.sure[cut] * cuts.tolls[cut]
                trial.held[cut] = 0
    return toll


@inner
def _moved(row: int, by: int, cuts: Cuts, trial: _Trial) -> int:
    """Take a row (``by`` = 1) or put it back (−1); return by how much the group's toll rises or falls."""
    toll = 0
    for at in range(cuts.at[row], cuts.at[row + 1]):
        cut = cuts.cuts[at]
        before = max(trial.sure[cut], trial.held[cut] // cuts.divisors[cut])
        trial.held[cut] += by
        toll += cuts.tolls[cut] * (max(trial.sure[cut], trial.held[cut] // cuts.divisors[cut]) - before)
    return toll


@inner
def _over(own: Array, weights: Array, prices: Array, k: int, cost: int, cuts: Cuts, limit: int, trial: _Trial) -> int:
    """By how much the prices of a group of k to 2k − 1 rows exceed its cost and tolls at most; 0 if none does.

    All groups are tried but those that cannot exceed the best so far, even if no further toll were due. After ``limit``
    tries the rest counts as if only unavoidable tolls were paid.
    """
    n, above = _list(own, weights, prices, k, cost, trial)
    start = -_unavoidable(own, weights, k, n, cuts, trial)
    best, worth, size, t, tries, n_most = 0, start, 0, 0, 0, 2 * k - 1
    trial.states[0] = 0
    while t >= 0:
        more = min(n_most - size, max(k - size, above - t))
        is_open = trial.states[t] == 0 and 0 < more <= n - t and size < n_most
        if is_open and worth + trial.sums[t + more] - trial.sums[t] > best:
            tries += 1
            if tries > limit:
                best = start + trial.sums[min(n, max(k, min(above, n_most)))]
                break
            worth += trial.sums[t + 1] - trial.sums[t] - _moved(trial.rows[t], 1, cuts, trial)
            size += 1
            best = max(best, worth) if size >= k else best
            trial.states[t], trial.states[t + 1] = 1, 0
            t += 1
            continue
        t -= 1
        while t >= 0 and trial.states[t] == 2:
            t -= 1
        if t >= 0:
            worth -= trial.sums[t + 1] - trial.sums[t] + _moved(trial.rows[t], -1, cuts, trial)
            size -= 1
            trial.states[t] = 2
            while t + 1 < n and trial.rows[t + 1] == trial.rows[t]:
                t += 1
                trial.states[t] = 2
            t += 1
            trial.states[t] = 0
    for row in own:
        for at in range(cuts.at[row], cuts.at[row + 1]):
            trial.held[cuts.cuts[at]] = trial.sure[cuts.cuts[at]] = 0
    return best


@inner
def _dear(
    lattice: Lattice, levels: Array, numbers: Array, weights: Array, prices: Array, order: Array, k: int, boxes: Array
) -> bool:
    """Which boxes on these levels hold k rows that are priced above their cost; write the boxes' sizes and costs."""
    n = boxes.shape[1]
    held, tops = np.zeros(n, np.int64), np.zeros(n, np.int64)
    boxes[:] = 0
    for at in range(order.size):
        row = order[at]
        box = numbers[row]
        if held[box] == 0:
            for level in levels:
                boxes[COST, box] += lattice.costs[lattice.at[level] + lattice.nodes[level, row]]
        if held[box] < k:
            tops[box] += prices[row] * min(weights[row], k - held[box])
        held[box] += weights[row]
        boxes[SIZE, box] += 1
    any_dear = False
    for box in range(n):
        is_dear = held[box] >= k and tops[box] > k * boxes[COST, box]
        boxes[SIZE, box] = boxes[SIZE, box] if is_dear else 0
        boxes[OVER, box] = tops[box] - k * boxes[COST, box]
        any_dear |= is_dear
    return any_dear


@inner
def _worst(
    numbers: Array,
    boxes: Array,
    weights: Array,
    prices: Array,
    order: Array,
    k: int,
    cuts: Cuts,
    most_rows: int,
    limit: int,
    trial: _Trial,
) -> float:
    """The largest ratio, above 1, of k times a box's cost and what a group exceeds it by, to k times its cost.

    Over boxes that have a size. In boxes of more than ``most_rows`` rows no tolls are paid, so the k dearest count.
    """
    n, worst = boxes.shape[1], 0.0
    ends = np.cumsum(boxes[SIZE])
    filled = ends - boxes[SIZE]
    rows = np.empty(ends[n - 1], np.int64)
    for at in range(order.size):
        box = numbers[order[at]]
        if boxes[SIZE, box] > 0:
            rows[filled[box]] = order[at]
            filled[box] += 1
    for box in range(n):
        size, cost = boxes[SIZE, box], boxes[COST, box]
        if size > 0:
            over = boxes[OVER, box]
            if size <= most_rows:
                over = _over(rows[ends[box] - size : ends[box]], weights, prices, k, cost, cuts, limit, trial)
            if over > 0:
                worst = max(worst, 1 + over / (k * cost) if cost > 0 else np.inf)
    return worst


@kernel
def excess(
    lattice: Lattice,
    weights: Array,
    prices: Array,
    order: Array,
    k: int,
    cuts: Cuts,
    top: int,
    most_rows: int,
    limit: int,
) -> float:
    """How much too high the worst group on level ``top`` of the first column is priced: a ratio above 1, or 0 if none.

    A group of k rows or more in a box may be priced at what it costs and the tolls it pays, of which boxes of more than
    ``most_rows`` distinct rows pay none. Prices, tolls and costs are integers, so the comparison is exact. ``order``
    lists the rows, highest price first. Levels on which every box costs at least the highest price are skipped: no box
    there can be priced too high. O(rows · nodes of the lattice), and up to ``limit`` groups of each box whose k dearest
    rows are priced above its cost.
    """
    n, n_columns, dearest, worst = weights.size, lattice.first.size - 1, prices[order[0]], 0.0
    boxes, n_copies = np.empty((3, n), np.int64), min(most_rows * (2 * k - 1), weights.sum())
    trial = _Trial(
        np.zeros(n_copies + 1, np.int64),
        np.zeros(n_copies + 1, np.int64),
        np.zeros(n_copies + 1, np.int8),
        np.zeros(cuts.tolls.size, np.int64),
        np.zeros(cuts.tolls.size, np.int64),
    )
    size = 2
    while size < 2 * n:
        size *= 2
    table, keys = np.full(size, -1, np.int64), np.empty(n, np.int64)
    numbers = np.zeros((n_columns + 1, n), np.int64)
    cheapest = np.zeros(n_columns + 1, np.int64)
    levels, d = lattice.first[:-1] - 1, 0
    levels[0] = top - 1
    while d >= 0:
        levels[d] += 1
        if levels[d] == lattice.first[d + 1] or (d == 0 and levels[0] > top):
            levels[d] = lattice.first[d] - 1
            d -= 1
            continue
        level = levels[d]
        at = lattice.at[level]
        cheapest[d + 1] = cheapest[d] + lattice.costs[at : at + lattice.n_nodes[level]].min()
        if cheapest[d + 1] >= dearest:
            continue
        found = _numbered(numbers[d], lattice.nodes[level], lattice.n_nodes[level], order, table, keys, numbers[d + 1])
        if d + 1 < n_columns:
            d += 1
            continue
        own = boxes[:, :found]
        if _dear(lattice, levels, numbers[d + 1], weights, prices, order, k, own):
            worst = max(worst, _worst(numbers[d + 1], own, weights, prices, order, k, cuts, most_rows, limit, trial))
    return worst
