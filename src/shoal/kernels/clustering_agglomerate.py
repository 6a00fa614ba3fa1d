"""Merge the two closest clusters, again and again, until each has k rows.

Exact (the closest pair is always merged) and yet far from quadratic: clusters lie in buckets whose members agreed on
the *key* planes at the start. Merging only widens cells, so the price of joining a bucket's key bounds from below the
price of joining any of its members, and most buckets are never looked into.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from shoal.kernels.arrays import Array
from shoal.kernels.clustering_space import Space, join, price, scan
from shoal.kernels.inner import inner

CLOSURE, INCREASE, SIZE = 0, 1, 2
"""Linkages: the price of the union's cells; what the merge adds to the total; that, divided by the union's size."""

_ID, _WHERE, _BUCKET, _ROWS, _OWN, _PARTNER, _SEEN, _VERSION = 0, 1, 2, 3, 4, 5, 6, 7
"""Rows of ``_State.ints``: the cluster in a slot; a cluster's slot, bucket, number of rows and price; its closest
partner, the version of the partner that was seen, and its own version (−1: gone or done)."""

_START, _END, _WIDEST = 0, 1, 2
"""Rows of ``_State.buckets``: first slot, last slot + 1, the highest price of a member."""


class _State(NamedTuple):
    """Open clusters with their cells, those of one bucket side by side, and how close each is to its partner.

    The root of ``tree``, a tree of winners, is the cluster that makes the best offer.
    """

    cells: Array
    keys: Array
    ints: Array
    buckets: Array
    score: Array
    tree: Array


@inner
def _score(linkage: int, together: int, size: int, own: int, other_size: int, other_own: int) -> float:
    """How dear a merge is, ``together`` being the price of the union's cells."""
    if linkage == CLOSURE:
        return float(together)
    added = (size + other_size) * together - size * own - other_size * other_own
    return float(added) if linkage == INCREASE else added / (size + other_size)


@inner
def _bound(linkage: int, together: int, size: int, own: int, widest: int, k: int) -> float:
    """No merge into a bucket is cheaper, whose members cost at most ``widest`` and have fewer than k rows."""
    if linkage == CLOSURE:
        return float(together)
    widest = min(widest, together)
    if linkage == INCREASE:
        return float(size * (together - own) + together - widest)
    if widest <= own:
        return float(together - own)
    return together - (size * own + (k - 1) * widest) / (size + k - 1)


@inner
def _make_state(space: Space, cells: Array, sizes: Array, starts: Array, n_keys: int) -> _State:
    n, n_buckets, base = cells.shape[1], starts.size - 1, 1
    while base < n:
        base *= 2
    ints, buckets = np.zeros((8, n), np.int64), np.zeros((3, n_buckets), np.int64)
    keys = np.empty((n_keys, n_buckets), np.int64)
    for b in range(n_buckets):
        buckets[_START, b], buckets[_END, b] = starts[b], starts[b + 1]
        for p in range(n_keys):
            keys[p, b] = cells[p, starts[b]]
        for i in range(starts[b], starts[b + 1]):
            ints[_BUCKET, i], ints[_OWN, i] = b, price(space, cells, i)
            buckets[_WIDEST, b] = max(buckets[_WIDEST, b], ints[_OWN, i])
    for i in range(n):
        ints[_ID, i] = ints[_WHERE, i] = i
        ints[_ROWS, i] = sizes[i]
    return _State(cells.copy(), keys, ints, buckets, np.full(n, np.inf), np.full(2 * base, -1, np.int64))


@inner
def _take_out(state: _State, i: int) -> None:
    """Close the gap that a cluster leaves in its bucket, and let it play no more."""
    ints, b = state.ints, state.ints[_BUCKET, i]
    slot, last = ints[_WHERE, i], state.buckets[_END, b] - 1
    mover = ints[_ID, last]
    for p in range(state.cells.shape[0]):
        state.cells[p, slot] = state.cells[p, last]
    ints[_ID, slot], ints[_WHERE, mover] = mover, slot
    state.buckets[_END, b] = last
    ints[_VERSION, i] = -1
    state.tree[state.tree.size // 2 + i] = -1


@inner
def _closest(space: Space, state: _State, i: int, k: int, linkage: int, lows: Array, prices: Array) -> None:
    """Find the cheapest partner of a cluster, of equals the one with the lowest number."""
    ints, buckets = state.ints, state.buckets
    size, own, home, query = ints[_ROWS, i], ints[_OWN, i], ints[_BUCKET, i], ints[_WHERE, i]
    best, who = np.inf, 0
    scan(space, state.keys.shape[0], state.keys, 0, buckets.shape[1], state.cells, query, lows)
    for turn in range(-1, buckets.shape[1]):
        b = home if turn < 0 else turn
        start, end = buckets[_START, b], buckets[_END, b]
        if start == end or turn == home:
            continue
        if turn >= 0 and _bound(linkage, np.int64(lows[b]), size, own, buckets[_WIDEST, b], k) > best:
            continue
        scan(space, state.cells.shape[0], state.cells, start, end, state.cells, query, prices)
        for t in range(end - start):
            j = ints[_ID, start + t]
            score = _score(linkage, np.int64(prices[t]), size, own, ints[_ROWS, j], ints[_OWN, j])
            if j != i and (score < best or (score == best and j < who)):
                best, who = score, j
    state.score[i], ints[_PARTNER, i], ints[_SEEN, i] = best, who, ints[_VERSION, who]


@inner
def _wins(state: _State, a: int, b: int) -> bool:
    """Whether cluster a's offer comes before b's: cheaper, else with the lower lower number, else the lower higher."""
    if a < 0 or b < 0:
        return a >= 0
    if state.score[a] != state.score[b]:
        return bool(state.score[a] < state.score[b])
    pa, pb = state.ints[_PARTNER, a], state.ints[_PARTNER, b]
    if min(a, pa) != min(b, pb):
        return bool(min(a, pa) < min(b, pb))
    return bool(max(a, pa) < max(b, pb))


@inner
def _play(state: _State, node: int) -> None:
    """Play the matches above a leaf of the tree again."""
    node //= 2
    while node >= 1:
        a, b = state.tree[2 * node], state.tree[2 * node + 1]
        state.tree[node] = a if _wins(state, a, b) else b
        node //= 2


@inner
def _unite(space: Space, state: _State, low: int, high: int) -> None:
    """Take cluster ``high`` out and into ``low``, which stays in its slot."""
    ints, at, other = state.ints, state.ints[_WHERE, low], state.ints[_WHERE, high]
    for p in range(state.cells.shape[0]):
        state.cells[p, at] = join(space, p, state.cells[p, at], state.cells[p, other])
    ints[_ROWS, low] += ints[_ROWS, high]
    ints[_OWN, low] = price(space, state.cells, at)
    ints[_VERSION, low] += 1
    b = ints[_BUCKET, low]
    state.buckets[_WIDEST, b] = max(state.buckets[_WIDEST, b], ints[_OWN, low])
    _take_out(state, high)


@njit(cache=True, nogil=True)
def agglomerate(
    space: Space, n_keys: int, cells: Array, sizes: Array, bucket_starts: Array, k: int, linkage: int
) -> Array:
    """Merge clusters; return for each the first of those it is with. Those of k rows or more are done; one may be left.

    ``cells[:, i]`` are the cells of cluster ``i`` at the start, such as a distinct row, and ``sizes[i]`` is its number
    of rows; clusters that agree on the first ``n_keys`` planes are next to each other, from ``bucket_starts`` on. Of
    equally close pairs the one with the lowest numbers is merged. About n^1.5 steps in practice, O(n²) at worst; O(n)
    memory.
    """
    n, state = cells.shape[1], _make_state(space, cells, sizes, bucket_starts, n_keys)
    ints, score, tree, base = state.ints, state.score, state.tree, state.tree.size // 2
    into = np.arange(n)
    lows, prices = np.empty(bucket_starts.size - 1, np.int32), np.empty(n, np.int32)
    for i in range(n):
        if sizes[i] >= k:
            _take_out(state, i)
    for i in range(n):
        if sizes[i] < k:
            _closest(space, state, i, k, linkage, lows, prices)
            tree[base + i] = i
            _play(state, base + i)
    while tree[1] >= 0 and score[tree[1]] < np.inf:
        i = tree[1]
        j = ints[_PARTNER, i]
        if ints[_VERSION, j] == ints[_SEEN, i]:
            i, j = min(i, j), max(i, j)
            _unite(space, state, i, j)
            into[j] = i
            _play(state, base + j)
        if ints[_ROWS, i] < k:
            _closest(space, state, i, k, linkage, lows, prices)
        else:
            _take_out(state, i)
        _play(state, base + i)
    for i in range(n):
        while into[into[i]] != into[i]:
            into[i] = into[into[i]]
    return into
