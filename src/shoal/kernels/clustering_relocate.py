"""Sequential clustering: each cluster gives away the row that saves most, or all of its rows if it can spare none."""

from __future__ import annotations

import numpy as np

from shoal.kernels.arrays import Array
from shoal.kernels.clustering_noise import below
from shoal.kernels.clustering_space import Space, closures, join, price, scan
from shoal.kernels.decorators import inner, kernel

_DEAR = np.int64(1) << 62

DROPPED = -1
"""The cluster number of a row to be suppressed."""


@inner
def _rest(space: Space, cells: Array, rows: Array, without: int, rest: Array) -> int:
    """The price of the cells around ``rows`` without one of them."""
    for p in range(cells.shape[0]):
        cell = np.int64(-1)
        for t in range(rows.size):
            if t != without:
                cell = cells[p, rows[t]] if cell < 0 else join(space, p, cell, cells[p, rows[t]])
        rest[p, 0] = cell
    return int(price(space, rest, 0))


@inner
def _target(sizes: Array, own: Array, locked: Array, prices: Array, drop: int) -> tuple[int, int]:
    """The open cluster to which a row adds the least cost, and that cost; one past the last if dropping is cheaper."""
    best, where = np.int64(drop), sizes.size
    for c in range(sizes.size):
        added = prices[c] + sizes[c] * (prices[c] - own[c])
        if added < best and not locked[c]:
            best, where = added, c
    return int(best), where


@inner
def _shuffled(n: int, state: Array) -> Array:
    order = np.arange(n)
    for i in range(n - 1, 0, -1):
        j = below(state, i + 1)
        order[i], order[j] = order[j], order[i]
    return order


@inner
def _plan(
    space: Space,
    cells: Array,
    rows: Array,
    k: int,
    cost: int,
    closed: Array,
    sizes: Array,
    own: Array,
    locked: Array,
    drop: int,
    prices: Array,
    targets: Array,
) -> bool:
    """Whether moving rows out of a cluster lowers the cost; ``targets`` gets the new cluster of each, −1 if it stays.

    The rows of one cluster go to different targets unless they are dropped, so the added costs simply add up.
    """
    rest = np.empty((cells.shape[0], 1), np.int64)
    spare, best, giver, taker, total = rows.size > k, np.int64(0), -1, -1, -np.int64(cost)
    targets[: rows.size] = -1
    for t in range(rows.size):
        scan(space, cells.shape[0], closed, 0, sizes.size, cells, rows[t], prices)
        added, target = _target(sizes, own, locked, prices, drop)
        if spare:
            change = added + (rows.size - 1) * _rest(space, cells, rows, t, rest) - cost
            if change < best:
                best, giver, taker = change, t, target
            continue
        total += added
        targets[t] = target
        if target < sizes.size:
            locked[target] = True
    if spare:
        if giver >= 0:
            targets[giver] = taker
        return giver >= 0
    for t in range(rows.size):
        if targets[t] < sizes.size:
            locked[targets[t]] = False
    return bool(total < 0)


@kernel
def relocate(space: Space, cells: Array, offsets: Array, k: int, drop: int, state: Array) -> tuple[Array, Array]:
    """Pass over all clusters once in random order; return the new cluster of each row, and the change it is part of.

    Cluster ``c`` has the rows ``offsets[c] … offsets[c + 1] − 1``. A cluster with more than k rows gives away its most
    costly row if that lowers the cost; one with no row to spare is dissolved if that does. Instead of moving, a row may
    be ``DROPPED`` at the cost ``drop``. Each cluster takes part in at most one change: ``changes[row]`` is −1 if it
    took part in none. O(rows · clusters · planes).
    """
    n_clusters, n_rows = offsets.size - 1, cells.shape[1]
    homes, changes = np.empty(n_rows, np.int64), np.full(n_rows, -1, np.int64)
    for c in range(n_clusters):
        homes[offsets[c] : offsets[c + 1]] = c
    closed, own = closures(space, cells, offsets, np.arange(n_rows))
    sizes, locked = offsets[1:] - offsets[:-1], np.zeros(n_clusters, np.bool_)
    prices, targets = np.empty(n_clusters, np.int32), np.empty(sizes.max(), np.int64)
    n_changes = 0
    for c in _shuffled(n_clusters, state):
        if locked[c] or own[c] == 0:
            continue
        locked[c] = True
        rows = np.arange(offsets[c], offsets[c + 1])
        if not _plan(space, cells, rows, k, sizes[c] * own[c], closed, sizes, own, locked, drop, prices, targets):
            locked[c] = False
            continue
        changes[offsets[c] : offsets[c + 1]] = n_changes
        for t in range(rows.size):
            target = targets[t]
            if target == n_clusters:
                homes[rows[t]] = DROPPED
            elif target >= 0:
                homes[rows[t]] = target
                changes[offsets[target] : offsets[target + 1]] = n_changes
                locked[target] = True
        n_changes += 1
    return homes, changes
