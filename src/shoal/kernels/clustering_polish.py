"""Move and swap rows between the groups of a pool while the cost falls, best step first."""

from __future__ import annotations

import numpy as np

from shoal.kernels.clustering_pool import (
    CELLS,
    CHANGE,
    CLOSED,
    ENTERING,
    GROUP,
    LEAVING,
    MEMBER,
    OWN,
    REST,
    REST_PRICE,
    ROW_COST,
    ROW_SIZE,
    SIZE,
    Mix,
    Pool,
    fits,
)
from shoal.kernels.clustering_space import Space, join, price, scan, together
from shoal.kernels.decorators import inner

_NEVER = np.int32(2**30)


@inner
def _without_each(space: Space, pool: Pool, p: int, g: int, m: int) -> None:
    """In plane ``p``, compute the cell of group ``g``, and without each of its ``m`` members, from both ends."""
    members, cells, rest = pool.ints[MEMBER], pool.planes[CELLS, p], pool.planes[REST, p]
    cell = cells[members[0]]
    for t in range(1, m):
        i = members[t]
        rest[i] = cell
        cell = join(space, p, cell, cells[i])
    pool.planes[CLOSED, p, g] = cell
    cell = cells[members[m - 1]]
    for t in range(m - 2, 0, -1):
        i = members[t]
        rest[i] = join(space, p, rest[i], cell)
        cell = join(space, p, cell, cells[i])
    rest[members[0]] = cell


@inner
def _look_at(space: Space, pool: Pool, n: int, g: int) -> None:
    """Recompute all that the pool stores about group ``g`` and its members. O(size · planes · n)."""
    members, cells, rest = pool.ints[MEMBER], pool.planes[CELLS], pool.planes[REST]
    m = np.int64(0)  # no literal: numba would compile what takes it once more
    for i in range(n):
        if pool.ints[GROUP, i] == g:
            members[m] = i
            m += 1
    for p in range(cells.shape[0]):
        _without_each(space, pool, p, g, m)
    own = price(space, pool.planes[CLOSED], g)
    pool.ints[SIZE, g], pool.ints[OWN, g] = m, own
    for t in range(m):
        i = members[t]
        pool.ints[ROW_SIZE, i], pool.ints[ROW_COST, i] = m, m * own
        pool.ints[REST_PRICE, i] = price(space, rest, i)
        leaving = pool.pairs[LEAVING, i]
        scan(space, cells.shape[0], cells, 0, n, rest, i, leaving)
        for u in range(m):
            leaving[members[u]] = _NEVER
        for j in range(n):
            pool.pairs[ENTERING, j, i] = leaving[j]


@inner
def _best_swap(pool: Pool, n: int) -> tuple[int, int, int]:
    """The swap that lowers the cost most: the change in cost (zero if none lowers it) and the two rows."""
    best, one, other = np.int64(0), -1, -1
    sizes, costs, changes = pool.ints[ROW_SIZE], pool.ints[ROW_COST], pool.ints[CHANGE]
    for i in range(n):
        size, cost, leaving, entering = sizes[i], costs[i], pool.pairs[LEAVING, i], pool.pairs[ENTERING, i]
        least = np.int64(0)
        for j in range(i):
            changes[j] = size * leaving[j] + sizes[j] * entering[j] - costs[j] - cost
            least = min(least, changes[j])
        if least < best:
            best, one, other = least, i, 0
            while changes[other] > least:
                other += 1
    return int(best), one, other


@inner
def _best_move(space: Space, pool: Pool, n: int, n_groups: int, k: int) -> tuple[int, int, int]:
    """The move that lowers the cost most: the change in cost (zero if none lowers it), the row and the group."""
    best, row, target = np.int64(0), -1, -1
    cells, sizes, own = pool.planes[CELLS], pool.ints[SIZE], pool.ints[OWN]
    for i in range(n):
        size = pool.ints[ROW_SIZE, i]
        if size <= k:
            continue
        saved = pool.ints[ROW_COST, i] - (size - 1) * pool.ints[REST_PRICE, i]
        for g in range(n_groups):
            whole = together(space, cells, i, pool.planes[CLOSED], g)
            change = whole + sizes[g] * (whole - own[g]) - saved
            if change < best and g != pool.ints[GROUP, i]:
                best, row, target = change, i, g
    return int(best), row, target


@inner
def _forbid(pool: Pool, one: int, other: int) -> None:
    """Exclude a step that was found to violate the mix until one of its groups changes."""
    if other >= 0:
        pool.pairs[LEAVING, one, other] = pool.pairs[ENTERING, other, one] = _NEVER
    else:
        pool.ints[REST_PRICE, one] = np.int64(1) << 40


@inner
def polish(space: Space, pool: Pool, n: int, n_groups: int, k: int, mix: Mix, most: int) -> int:
    """Take the best move or swap until none is left (or ``most`` were tried), while groups keep k rows and the mix.

    Returns the final cost. O(n²) a step, plus O(size · n · planes) for the two groups that changed. Groups must have at
    least two rows.
    """
    group = pool.ints[GROUP]
    for g in range(n_groups):
        _look_at(space, pool, n, g)
    for _ in range(most):
        gain, one, other = _best_swap(pool, n)
        moved, row, target = _best_move(space, pool, n, n_groups, k)
        if min(gain, moved) >= 0:
            break
        if moved < gain:
            one, other = row, -1
        left, entered = group[one], target if other < 0 else group[other]
        group[one] = entered
        if other >= 0:
            group[other] = left
        if fits(pool, n, left, mix) and fits(pool, n, entered, mix):
            _look_at(space, pool, n, left)
            _look_at(space, pool, n, entered)
            continue
        group[one] = left
        if other >= 0:
            group[other] = entered
        _forbid(pool, one, other)
    cost = np.int64(0)
    for g in range(n_groups):
        cost += pool.ints[SIZE, g] * pool.ints[OWN, g]
    return int(cost)
