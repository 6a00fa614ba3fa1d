"""Check prices and tolls against every box of a lattice, in integers, by code that did not find them."""

from __future__ import annotations

import numpy as np

from shoal.kernels.arrays import Array
from shoal.kernels.decorators import inner, kernel
from shoal.kernels.floor_boxes import Lattice
from shoal.kernels.floor_cuts import Cuts

SIZE, COST = 0, 1
"""What is known of each box: the number of its distinct rows (0 unless it is priced above its cost), and its cost."""


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


@inner
def _toll(rows: Array, n: int, cuts: Cuts, counts: Array) -> int:
    """The tolls of all cuts that contain these rows. ``counts`` is 0 for each cut, before and after."""
    toll = 0
    for t in range(n):
        for at in range(cuts.at[rows[t]], cuts.at[rows[t] + 1]):
            counts[cuts.cuts[at]] += 1
    for t in range(n):
        for at in range(cuts.at[rows[t]], cuts.at[rows[t] + 1]):
            cut = cuts.cuts[at]
            toll += cuts.tolls[cut] if counts[cut] == n else 0
            counts[cut] = 0
    return toll


@inner
def _over(rows: Array, n: int, weights: Array, prices: Array, k: int, cost: int, toll: int) -> float:
    """The largest ratio, above 1, of the prices of a group less its toll to its cost; ``rows`` by price, highest first.

    Groups of k to 2k − 1 rows are looked at, since larger ones can be divided; without a toll those of k suffice.
    """
    worst, size, total, least = 0.0, 0, 0, k
    most = 2 * k - 1 if toll > 0 else k
    for t in range(n):
        for _ in range(min(weights[rows[t]], most - size)):
            total += prices[rows[t]]
            size += 1
            if size >= least and total - toll > size * cost:
                worst = max(worst, (total - toll) / (size * cost) if cost > 0 else np.inf)
    return worst


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
        any_dear |= is_dear
    return any_dear


@inner
def _worst(
    numbers: Array, boxes: Array, weights: Array, prices: Array, order: Array, k: int, cuts: Cuts, counts: Array
) -> float:
    """The largest ratio, above 1, of a group's prices less its toll to its cost, over boxes that have a size."""
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
        size = boxes[SIZE, box]
        if size > 0:
            own = rows[ends[box] - size : ends[box]]
            toll = _toll(own, size, cuts, counts)
            worst = max(worst, _over(own, size, weights, prices, k, boxes[COST, box], toll))
    return worst


@kernel
def excess(lattice: Lattice, weights: Array, prices: Array, order: Array, k: int, cuts: Cuts, top: int) -> float:
    """How much too high the worst group on level ``top`` of the first column is priced: a ratio above 1, or 0 if none.

    A group of k rows or more in a box may be priced at what it costs and the tolls of all cuts that contain the box.
    Prices, tolls and costs are integers, so the comparison is exact. ``order`` lists the rows, highest price first.
    Levels on which every box costs at least the highest price are skipped: no box there can be priced too high.
    O(rows · nodes of the lattice), and the rows of a box that is priced above its cost once more for each of its cuts.
    """
    counts, boxes = np.zeros(cuts.most.size, np.int64), np.empty((2, weights.size), np.int64)
    n, n_columns, dearest, worst = weights.size, lattice.first.size - 1, prices[order[0]], 0.0
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
            worst = max(worst, _worst(numbers[d + 1], own, weights, prices, order, k, cuts, counts))
    return worst
