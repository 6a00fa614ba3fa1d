"""Check prices against every box of a lattice, in integers, by code independent of the code that found them."""

from __future__ import annotations

import numpy as np

from shoal.kernels.arrays import Array
from shoal.kernels.decorators import inner, kernel
from shoal.kernels.floor_boxes import Lattice


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
def _worst(
    lattice: Lattice, levels: Array, numbers: Array, n: int, weights: Array, prices: Array, order: Array, k: int
) -> float:
    """The largest ratio of the k highest prices to k times the cost, over boxes on these levels that hold k rows."""
    held, tops, costs = np.zeros(n, np.int64), np.zeros(n, np.int64), np.zeros(n, np.int64)
    for at in range(order.size):
        row = order[at]
        box = numbers[row]
        if held[box] == 0:
            for level in levels:
                costs[box] += lattice.costs[lattice.at[level] + lattice.nodes[level, row]]
        if held[box] < k:
            tops[box] += prices[row] * min(weights[row], k - held[box])
        held[box] += weights[row]
    worst = 0.0
    for box in range(n):
        if held[box] >= k and tops[box] > k * costs[box]:
            worst = max(worst, tops[box] / (k * costs[box]) if costs[box] > 0 else np.inf)
    return worst


@kernel
def excess(lattice: Lattice, weights: Array, prices: Array, order: Array, k: int, top: int) -> float:
    """How much too high the worst box on level ``top`` of the first column is priced: a ratio above 1, or 0 if none is.

    Prices and costs are integers, so the comparison is exact. ``order`` lists the rows, highest price first. Levels on
    which every box costs at least the highest price are skipped: no box there can be priced too high.
    O(rows · nodes of the lattice).
    """
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
        worst = max(worst, _worst(lattice, levels, numbers[d + 1], found, weights, prices, order, k))
    return worst
