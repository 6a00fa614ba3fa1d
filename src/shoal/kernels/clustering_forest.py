"""The forest algorithm: link each small tree to its nearest row outside, then cut the trees into parts."""

from __future__ import annotations

import numpy as np

from shoal.kernels.arrays import Array
from shoal.kernels.clustering_space import Space, join_price, scan
from shoal.kernels.decorators import inner, kernel
from shoal.kernels.small import root


@inner
def _nearest(
    space: Space,
    n_first: int,
    cells: Array,
    keys: Array,
    starts: Array,
    trees: Array,
    i: int,
    lows: Array,
    prices: Array,
) -> int:
    """The row outside row ``i``'s tree that is cheapest to join with it; ties go to the first.

    Only rows that are cheap enough on the first planes are priced on the others.
    """
    n_buckets, mine, best, who = keys.shape[1], root(trees, i), np.int64(1) << 62, -1
    home = np.searchsorted(starts, i, side="right") - 1
    scan(space, keys.shape[0], keys, 0, n_buckets, cells, i, lows)
    for turn in range(-1, n_buckets):
        b = home if turn < 0 else turn
        if turn == home or (turn >= 0 and lows[b] > best):
            continue
        start, end = starts[b], starts[b + 1]
        scan(space, n_first, cells, start, end, cells, i, prices)
        for j in range(start, end):
            paid = np.int64(prices[j - start])
            if paid > best:
                continue
            for p in range(n_first, cells.shape[0]):
                paid += join_price(space, p, cells[p, i], cells[p, j])
            if (paid < best or (paid == best and j < who)) and root(trees, j) != mine:
                best, who = paid, j
    return who


@kernel
def link(space: Space, n_keys: int, n_first: int, cells: Array, sizes: Array, starts: Array, k: int) -> Array:
    """The parent of each distinct row in a forest whose trees represent at least k rows each; −1 for roots.

    While a tree has fewer than k rows, its root (the one row that has no edge of its own yet) is linked to the nearest
    row outside the tree, which is at most as far away as its (k − 1)-th nearest row. Rows that agree on the first
    ``n_keys`` planes are adjacent, in runs that begin at ``starts``. There must be at least k rows in all.
    O(n · distinct), far less in practice.
    """
    n, n_buckets = cells.shape[1], starts.size - 1
    parents, trees, weights, roots = np.full(n, -1, np.int64), np.arange(n), sizes.copy(), np.arange(n)
    keys = np.empty((n_keys, n_buckets), np.int64)
    for b in range(n_buckets):
        keys[:, b] = cells[:n_keys, starts[b]]
    lows, prices = np.empty(n_buckets, np.int32), np.empty(n, np.int32)
    for i in range(n):
        tree = root(trees, i)
        while weights[tree] < k:
            free = roots[tree]
            target = _nearest(space, n_first, cells, keys, starts, trees, free, lows, prices)
            other = root(trees, target)
            parents[free] = target
            trees[tree], weights[other] = other, weights[other] + weights[tree]
            tree = other
    return parents


@inner
def _before_parents(parents: Array) -> Array:
    """The rows, ordered so that all children of a row come before it."""
    n, n_done = parents.size, 0
    waiting, order = np.zeros(n, np.int64), np.empty(n, np.int64)
    for i in range(n):
        if parents[i] >= 0:
            waiting[parents[i]] += 1
    for i in range(n):
        while i >= 0 and waiting[i] == 0:
            order[n_done] = i
            n_done += 1
            waiting[i] = -1
            i = parents[i]
            if i >= 0:
                waiting[i] -= 1
    return order


@inner
def _emit(homes: Array, following: Array, heads: Array, counts: Array, u: int, group: int) -> None:
    """Make a group of the rows waiting at ``u``."""
    row = heads[u]
    while row >= 0:
        homes[row] = group
        row = following[row]
    heads[u], counts[u] = -1, 0


@inner
def _hand_over(
    following: Array, heads: Array, tails: Array, counts: Array, u: int, first: int, last: int, n: int
) -> None:
    """Add a list of rows to those waiting at ``u``."""
    following[last] = heads[u]
    if heads[u] < 0:
        tails[u] = last
    heads[u] = first
    counts[u] += n


@kernel
def cut(parents: Array, offsets: Array, k: int) -> Array:
    """Cut trees of at least k rows into parts of k to 3k − 3 rows; return the part of each row.

    ``offsets[u] … offsets[u + 1] − 1`` are the rows equal to distinct row ``u``. Rows are passed towards the root, and
    as soon as k have accumulated they form a part; fewer than k that reach the root join an adjacent part. Parts of one
    tree use different edges of it (a part may pass through a row of another), so their diameters add up to at most the
    tree's; k or more equal rows form a part of their own. O(rows).
    """
    n_rows, n = offsets[-1], parents.size
    homes, following = np.full(n_rows, -1, np.int64), np.full(n_rows, -1, np.int64)
    heads, tails, counts = np.full(n, -1, np.int64), np.full(n, -1, np.int64), np.zeros(n, np.int64)
    beside, equals, group = np.full(n, -1, np.int64), np.full(n_rows, -1, np.int64), 0
    for u in _before_parents(parents):
        start, end, parent = offsets[u], offsets[u + 1], parents[u]
        if end - start >= k:
            homes[start:end] = group
            beside[u], equals[group] = group, u
            group += 1
        else:
            for row in range(start, end):
                _hand_over(following, heads, tails, counts, u, row, row, 1)
            if counts[u] >= k:
                _emit(homes, following, heads, counts, u, group)
                beside[u] = group
                group += 1
        if parent >= 0:
            if beside[parent] < 0:
                beside[parent] = beside[u]
            if counts[u] > 0:
                _hand_over(following, heads, tails, counts, parent, heads[u], tails[u], counts[u])
            if counts[parent] >= k:
                _emit(homes, following, heads, counts, parent, group)
                beside[parent] = group
                group += 1
        elif counts[u] > 0:
            near, n_left = beside[u], counts[u]
            v = equals[near]
            _emit(homes, following, heads, counts, u, near)
            if v >= 0 and offsets[v + 1] - offsets[v] >= 2 * k - n_left:
                for row in range(offsets[v] + k - n_left, offsets[v + 1]):
                    homes[row] = group
                group += 1
    return homes
