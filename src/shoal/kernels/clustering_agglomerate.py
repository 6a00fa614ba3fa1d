"""Merge the two closest clusters repeatedly until each has k rows.

Exact (the closest pair is always merged) and yet far from quadratic. Clusters lie in buckets whose members agreed on
the *key* planes at the start. Merging only widens cells, so the price of joining a bucket's key is a lower bound on the
price of joining any of its members, and most buckets are never searched. In those that are, members are priced on the
*first* planes. On the remaining planes a pair costs at least as much as either of the two does, so these planes are
priced only if that bound does not already exclude the pair.

The work is done in slices so that callers can report progress.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shoal.kernels.arrays import Array
from shoal.kernels.clustering_space import Space, join, join_price, price, scan
from shoal.kernels.decorators import inner, kernel

CLOSURE, INCREASE, SIZE = 0, 1, 2
"""Linkages: the price of the union's cells; what the merge adds to the total cost; the same, divided by the union's
size."""

_ID, _WHERE, _BUCKET, _ROWS, _OWN, _REST, _PARTNER, _SEEN, _VERSION, _INTO = 0, 1, 2, 3, 4, 5, 6, 7, 8, 9
"""Rows of ``State.ints``. By cluster: its slot, bucket, closest partner, the partner's version when it was chosen, its
own version (−1: gone or done), and the cluster it was merged into. By slot: the cluster in it, its number of rows, its
price, and its price on all planes but the first."""

_START, _END, _WIDEST = 0, 1, 2
"""Rows of ``State.buckets``: first slot, last slot + 1, the highest price of a member."""


OPENED, GONE, N_FIRST = 0, 1, 2
"""Entries of ``State.marks``: how many clusters have searched for a partner, how many are gone or done, and the number
of first planes."""


class State(NamedTuple):
    """Open clusters with their cells, grouped by bucket, and the score of merging each with its partner.

    ``tree`` is a winner tree; its root is the cluster with the best merge.
    """

    cells: Array
    keys: Array
    ints: Array
    buckets: Array
    score: Array
    tree: Array
    marks: Array


@inner
def linkage_score(linkage: int, together: int, size: int, own: int, other_size: int, other_own: int) -> float:
    """The score of a merge; ``together`` is the price of the union's cells."""
    if linkage == CLOSURE:
        return float(together)
    added = (size + other_size) * together - size * own - other_size * other_own
    return float(added) if linkage == INCREASE else added / (size + other_size)


@inner
def _bound(linkage: int, together: int, size: int, own: int, widest: int, k: int) -> float:
    """A lower bound on merging into a bucket whose members cost at most ``widest`` and have fewer than k rows."""
    if linkage == CLOSURE:
        return float(together)
    widest = min(widest, together)
    if linkage == INCREASE:
        return float(size * (together - own) + together - widest)
    if widest <= own:
        return float(together - own)
    return together - (size * own + (k - 1) * widest) / (size + k - 1)


@inner
def _rest(space: Space, cells: Array, i: int, first: int) -> int:
    """The price of ``cells[:, i]`` on the planes from ``first`` on."""
    total = 0
    for p in range(first, cells.shape[0]):
        total += join_price(space, p, cells[p, i], cells[p, i])
    return total


@inner
def _take_out(state: State, i: int) -> None:
    """Remove a cluster from its bucket, closing the gap, and from the winner tree."""
    ints, b = state.ints, state.ints[_BUCKET, i]
    slot, last = ints[_WHERE, i], state.buckets[_END, b] - 1
    mover = ints[_ID, last]
    for p in range(state.cells.shape[0]):
        state.cells[p, slot] = state.cells[p, last]
    ints[_ID, slot], ints[_WHERE, mover] = mover, slot
    ints[_ROWS, slot], ints[_OWN, slot], ints[_REST, slot] = ints[_ROWS, last], ints[_OWN, last], ints[_REST, last]
    state.buckets[_END, b] = last
    state.marks[GONE] += 1
    ints[_VERSION, i] = -1
    state.tree[state.tree.size // 2 + i] = -1


@inner
def _closest(space: Space, state: State, i: int, k: int, linkage: int, lows: Array, prices: Array) -> None:
    """Find the cheapest partner of a cluster; ties go to the lowest number."""
    ints, buckets, cells, n_first = state.ints, state.buckets, state.cells, state.marks[N_FIRST]
    home, query = ints[_BUCKET, i], ints[_WHERE, i]
    size, own, rest, best, who = ints[_ROWS, query], ints[_OWN, query], ints[_REST, query], np.inf, 0
    n_keys = state.keys.shape[0]
    beyond = _rest(space, cells, query, n_keys)
    first = np.int64(0)  # no literal: numba would compile scan once more
    scan(space, n_keys, state.keys, first, buckets.shape[1], cells, query, lows)
    for turn in range(-1, buckets.shape[1]):
        b = home if turn < 0 else turn
        start, end = buckets[_START, b], buckets[_END, b]
        if start == end or turn == home:
            continue
        if turn >= 0 and _bound(linkage, lows[b] + beyond, size, own, buckets[_WIDEST, b], k) > best:
            continue
        scan(space, n_first, cells, start, end, cells, query, prices)
        for slot in range(start, end):
            low = np.int64(prices[slot - start])
            if (
                linkage_score(
                    linkage, low + max(rest, ints[_REST, slot]), size, own, ints[_ROWS, slot], ints[_OWN, slot]
                )
                > best
            ):
                continue
            for p in range(n_first, cells.shape[0]):
                low += join_price(space, p, cells[p, query], cells[p, slot])
            j, score = ints[_ID, slot], linkage_score(linkage, low, size, own, ints[_ROWS, slot], ints[_OWN, slot])
            if j != i and (score < best or (score == best and j < who)):
                best, who = score, j
    state.score[i], ints[_PARTNER, i], ints[_SEEN, i] = best, who, ints[_VERSION, who]


@inner
def _wins(state: State, a: int, b: int) -> bool:
    """Whether a's merge precedes b's: by score, then by the pair's lower number, then by its higher number."""
    if a < 0 or b < 0:
        return a >= 0
    if state.score[a] != state.score[b]:
        return bool(state.score[a] < state.score[b])
    pa, pb = state.ints[_PARTNER, a], state.ints[_PARTNER, b]
    if min(a, pa) != min(b, pb):
        return bool(min(a, pa) < min(b, pb))
    return bool(max(a, pa) < max(b, pb))


@inner
def _play(state: State, node: int) -> None:
    """Update the winner tree above a leaf."""
    node //= 2
    while node >= 1:
        a, b = state.tree[2 * node], state.tree[2 * node + 1]
        state.tree[node] = a if _wins(state, a, b) else b
        node //= 2


@inner
def _unite(space: Space, state: State, low: int, high: int) -> None:
    """Merge cluster ``high`` into ``low``, which keeps its slot."""
    ints, at, other = state.ints, state.ints[_WHERE, low], state.ints[_WHERE, high]
    for p in range(state.cells.shape[0]):
        state.cells[p, at] = join(space, p, state.cells[p, at], state.cells[p, other])
    ints[_ROWS, at] += ints[_ROWS, other]
    ints[_OWN, at] = price(space, state.cells, at)
    ints[_REST, at] = _rest(space, state.cells, at, state.marks[N_FIRST])
    ints[_INTO, high] = low
    ints[_VERSION, low] += 1
    b = ints[_BUCKET, low]
    state.buckets[_WIDEST, b] = max(state.buckets[_WIDEST, b], ints[_OWN, at])
    _take_out(state, high)


@kernel
def begin(
    space: Space, n_keys: int, n_first: int, cells: Array, sizes: Array, numbers: Array, starts: Array, k: int
) -> State:
    """The state before the first merge.

    ``cells[:, i]`` are the cells of cluster ``numbers[i]``, for example a distinct row, and ``sizes[i]`` is its number
    of rows. Clusters that agree on the first ``n_keys`` planes are adjacent; each such run begins at an entry of
    ``starts``.
    """
    n, n_buckets, base = cells.shape[1], starts.size - 1, 1
    while base < n:
        base *= 2
    ints, buckets = np.zeros((10, n), np.int64), np.zeros((3, n_buckets), np.int64)
    keys, marks = np.empty((n_keys, n_buckets), np.int64), np.array([0, 0, n_first])
    for slot in range(n):
        i = numbers[slot]
        ints[_ID, slot], ints[_WHERE, i], ints[_INTO, i], ints[_ROWS, slot] = i, slot, i, sizes[slot]
    for b in range(n_buckets):
        buckets[_START, b], buckets[_END, b] = starts[b], starts[b + 1]
        for p in range(n_keys):
            keys[p, b] = cells[p, starts[b]]
        for i in range(starts[b], starts[b + 1]):
            ints[_BUCKET, numbers[i]], ints[_OWN, i] = b, price(space, cells, i)
            ints[_REST, i] = _rest(space, cells, i, n_first)
            buckets[_WIDEST, b] = max(buckets[_WIDEST, b], ints[_OWN, i])
    state = State(cells.copy(), keys, ints, buckets, np.full(n, np.inf), np.full(2 * base, -1, np.int64), marks)
    for i in range(n):
        if sizes[i] >= k:
            _take_out(state, numbers[i])
    return state


@kernel
def agglomerate(space: Space, state: State, k: int, linkage: int, n_steps: int) -> bool:
    """Merge clusters in at most ``n_steps`` steps; return whether any may be left to merge.

    First each cluster searches for its partner, then the closest pair is merged repeatedly. A cluster of k rows or more
    is done; one smaller cluster may be left over. Ties between pairs go to the lowest numbers. About n^1.5 steps times
    planes in total in practice, O(n²) at worst; O(n) memory.
    """
    ints, score, tree, base, n = state.ints, state.score, state.tree, state.tree.size // 2, state.score.size
    lows, prices = np.empty(state.buckets.shape[1], np.int32), np.empty(n, np.int32)
    while n_steps > 0 and state.marks[OPENED] < n:
        i = state.marks[OPENED]
        state.marks[OPENED] += 1
        if ints[_VERSION, i] >= 0:
            _closest(space, state, i, k, linkage, lows, prices)
            tree[base + i] = i
            _play(state, base + i)
            n_steps -= 1
    while n_steps > 0 and tree[1] >= 0 and score[tree[1]] < np.inf:
        i = tree[1]
        j = ints[_PARTNER, i]
        if ints[_VERSION, j] == ints[_SEEN, i]:
            i, j = min(i, j), max(i, j)
            _unite(space, state, i, j)
            _play(state, base + j)
        if ints[_ROWS, ints[_WHERE, i]] < k:
            _closest(space, state, i, k, linkage, lows, prices)
            n_steps -= 1
        else:
            _take_out(state, i)
        _play(state, base + i)
    return n_steps == 0


@kernel
def ends(state: State) -> Array:
    """For each cluster, the cluster that it was finally merged into."""
    into: Array = state.ints[_INTO].copy()
    for i in range(into.size):
        while into[into[i]] != into[i]:
            into[i] = into[into[i]]
    return into
