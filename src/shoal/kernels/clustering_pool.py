"""Recluster a pool of a hundred rows: agglomerative, with noise so that repeated runs differ.

The cost of a cluster is its size times the price of its cells.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shoal.kernels.arrays import Array
from shoal.kernels.clustering_noise import fraction
from shoal.kernels.clustering_space import Space, join, price, scan, together
from shoal.kernels.decorators import inner

CELLS, CLOSED, REST = 0, 1, 2
"""``Pool.planes``: the cells of rows; of groups; of each row's group without the row."""

GROUP, SIZE, OWN, PARTNER, REST_PRICE, ROW_SIZE, ROW_COST, COLOUR, MEMBER, CHANGE, COUNT = range(11)
"""``Pool.ints``: the group of each row; the size, price and closest partner of each group (−1: unknown); the price of
each row's group without the row; the size and cost of each row's group; the row's colour; scratch lists."""

SCORE, FACTOR, SCORES = 0, 1, 2
"""``Pool.floats``: the score of a group with its partner; the group's noise factor; a scratch list."""

LEAVING, ENTERING, PRICE = 0, 1, 2
"""``Pool.pairs``: the price of a row's group with another row in its place, indexed both ways; lists of prices."""


class Mix(NamedTuple):
    """What groups need besides k rows: at least so many colours, and none with more than this share of the rows."""

    least_colours: int
    most_share: float


class Pool(NamedTuple):
    """Rows, groups and work space, in a few arrays with named rows because passing many arrays is slow in numba."""

    planes: Array
    ints: Array
    floats: Array
    pairs: Array


def make_pool(n_planes: int, most: int) -> Pool:
    """Allocate a pool for ``most`` rows."""
    return Pool(
        np.empty((3, n_planes, most), np.int64),
        np.zeros((11, most), np.int64),
        np.empty((3, most), np.float64),
        np.empty((3, most, most), np.int32),
    )


@inner
def _least(scores: Array, m: int) -> int:
    """The index of the smallest of the first ``m``, in two passes: one that tracks the index does not vectorise."""
    best = np.inf
    for j in range(m):
        score = scores[j]
        best = score if score < best else best
    j = 0
    while scores[j] > best:
        j += 1
    return j


@inner
def _closest(space: Space, pool: Pool, a: int, m: int) -> None:
    """Find the partner of cluster ``a`` among the first ``m``: the least added cost over size, times both factors."""
    closed, prices, scores, factors = (
        pool.planes[CLOSED],
        pool.pairs[PRICE, 0],
        pool.floats[SCORES],
        pool.floats[FACTOR],
    )
    sizes, own = pool.ints[SIZE], pool.ints[OWN]
    scan(space, closed.shape[0], closed, 0, m, closed, a, prices)
    size, cost, factor = sizes[a], sizes[a] * own[a], factors[a]
    for j in range(m):
        scores[j] = (prices[j] - (cost + sizes[j] * own[j]) / (size + sizes[j])) * factor * factors[j]
    scores[a] = np.inf
    j = _least(scores, m)
    pool.floats[SCORE, a], pool.ints[PARTNER, a] = scores[j], j


@inner
def _shift(pool: Pool, source: int, target: int) -> None:
    """Copy the cluster at ``source`` to the place ``target``."""
    for p in range(pool.planes.shape[1]):
        pool.planes[CLOSED, p, target] = pool.planes[CLOSED, p, source]
    for field in (SIZE, OWN, PARTNER):
        pool.ints[field, target] = pool.ints[field, source]
    for field in (SCORE, FACTOR):
        pool.floats[field, target] = pool.floats[field, source]


@inner
def _rename(numbers: Array, n: int, old: int, new: int) -> None:
    for i in range(n):
        numbers[i] = new if numbers[i] == old else numbers[i]


@inner
def _close_gap(pool: Pool, n: int, gap: int, last: int) -> None:
    """Move the last open cluster into the place of one that was removed."""
    if gap == last:
        return
    _shift(pool, last, gap)
    _rename(pool.ints[PARTNER], last, last, gap)
    _rename(pool.ints[GROUP], n, last, gap)


@inner
def _merge(space: Space, pool: Pool, n: int, m: int, a: int, b: int) -> None:
    """Merge cluster ``b`` into cluster ``a``; clusters that had either as their partner have none now."""
    closed = pool.planes[CLOSED]
    for p in range(closed.shape[0]):
        closed[p, a] = join(space, p, closed[p, a], closed[p, b])
    pool.ints[SIZE, a] += pool.ints[SIZE, b]
    pool.ints[OWN, a] = price(space, closed, a)
    _rename(pool.ints[GROUP], n, b, a)
    _rename(pool.ints[PARTNER], m, a, -1)
    _rename(pool.ints[PARTNER], m, b, -1)


@inner
def fits(pool: Pool, n: int, g: int, mix: Mix) -> bool:
    """Whether group ``g`` has the required mix of colours. Colours are numbered below the pool's size."""
    if mix.least_colours <= 1 and mix.most_share >= 1.0:
        return True
    counts, size, n_colours, most = pool.ints[COUNT], 0, 0, 0
    for i in range(n):
        if pool.ints[GROUP, i] == g:
            colour = pool.ints[COLOUR, i]
            n_colours += counts[colour] == 0
            counts[colour] += 1
            most = max(most, counts[colour])
            size += 1
    counts[:n] = 0
    return bool(n_colours >= mix.least_colours and most <= mix.most_share * size)


@inner
def _absorb(space: Space, pool: Pool, n: int, first: int) -> None:
    """Move each row of cluster 0, which is too small, to the closed cluster where it adds least cost."""
    cells, closed, sizes = pool.planes[CELLS], pool.planes[CLOSED], pool.ints[SIZE]
    for i in range(n):
        if pool.ints[GROUP, i] != 0:
            continue
        best, where = np.int64(1) << 62, first
        for c in range(first, n):
            whole = together(space, cells, i, closed, c)
            added = whole + sizes[c] * (whole - pool.ints[OWN, c])
            if added < best:
                best, where = added, c
        for p in range(cells.shape[0]):
            closed[p, where] = join(space, p, closed[p, where], cells[p, i])
        sizes[where] += 1
        pool.ints[OWN, where] = price(space, closed, where)
        pool.ints[GROUP, i] = where


@inner
def rebuild(space: Space, pool: Pool, n: int, k: int, mix: Mix, noise: float, state: Array) -> tuple[int, int]:
    """Regroup the first ``n`` rows of the pool; return the number of groups, each of k rows or more, and the cost.

    Agglomerative by added cost over size, with each cluster's scores multiplied by a factor of 1 … 1 + ``noise``. A
    cluster grows until it has k rows and the mix; rows left over at the end go where they add least. Open clusters come
    first, closed ones last. k must be at least 2 and at most n. O(n² · planes).
    """
    m, first, group, sizes = n, n, pool.ints[GROUP], pool.ints[SIZE]
    for i in range(n):
        group[i], sizes[i], pool.floats[FACTOR, i] = i, 1, 1.0 + noise * fraction(state)
        for p in range(pool.planes.shape[1]):
            pool.planes[CLOSED, p, i] = pool.planes[CELLS, p, i]
        pool.ints[OWN, i] = price(space, pool.planes[CLOSED], i)
        _closest(space, pool, i, i + 1)
    while m > 1:
        a = _least(pool.floats[SCORE], m)
        if pool.ints[PARTNER, a] < 0:
            _closest(space, pool, a, m)
            continue
        a, b = min(a, pool.ints[PARTNER, a]), max(a, pool.ints[PARTNER, a])
        _merge(space, pool, n, m, a, b)
        m -= 1
        _close_gap(pool, n, b, m)
        is_only = m == 1 and first == n
        if sizes[a] < k or not (is_only or fits(pool, n, a, mix)):
            _closest(space, pool, a, m)
            continue
        first -= 1
        _rename(group, n, a, first)
        _shift(pool, a, first)
        m -= 1
        _close_gap(pool, n, a, m)
    if m == 1:
        _absorb(space, pool, n, first)
    for i in range(n):
        group[i] = n - 1 - group[i]
    cost = np.int64(0)
    for c in range(first, n):
        cost += sizes[c] * pool.ints[OWN, c]
    return n - first, int(cost)
