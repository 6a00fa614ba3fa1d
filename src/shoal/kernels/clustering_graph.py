"""Find each cluster's nearest clusters through neighbours of neighbours, and merge along these links.

Comparing all pairs is too slow if there are many rows and they differ in many columns, so that bounds exclude little.
Most of the nearest clusters are found anyway, because a cluster's neighbours are likely to be near each other (Dong,
Charikar and Li 2011, Efficient K-Nearest Neighbor Graph Construction for Generic Similarity Measures).

A cluster's list is a row of ``links``, nearest first. A link is packed into one integer so that links are compared,
moved and stored as one: the upper half is the score (the bits of a float32, whose order they preserve), the lower half
is the other cluster's number, doubled, plus one if the link is new. ``NONE`` sorts after every link.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shoal.kernels.arrays import Array
from shoal.kernels.clustering_agglomerate import linkage_score
from shoal.kernels.clustering_noise import below
from shoal.kernels.clustering_space import Space, join, join_price, scan
from shoal.kernels.decorators import inner, kernel
from shoal.kernels.planes import AT, KIND, PRICES, TABLE, WIDTH
from shoal.kernels.small import root

NONE = np.int64(2**63 - 1)
SCORE, WHOM, NEW = 32, 1, 1
"""The bit offsets of a link's score and cluster number, and the bit that marks a new link."""

_NEVER = np.int32(2**31 - 1)
_LEAST = 10
"""A split leaves at least one in this many clusters on either side."""


class Clusters(NamedTuple):
    """The cells of each cluster as a row of ``cells``, its number of rows, the price of its cells, and the linkage."""

    cells: Array
    sizes: Array
    own: Array
    linkage: int


@inner
def whom(link: int) -> int:
    """The cluster that a link points to."""
    return (link & 0xFFFFFFFF) >> WHOM


@inner
def _link(clusters: Clusters, i: int, j: int, price: int) -> int:
    """The link from one cluster to another; ``price`` is that of their union's cells."""
    paid = linkage_score(
        clusters.linkage, price, clusters.sizes[i], clusters.own[i], clusters.sizes[j], clusters.own[j]
    )
    return int((np.int64(np.float32(paid).view(np.int32)) << SCORE) | (np.int64(j) << WHOM) | NEW)


@inner
def _price_some(space: Space, cells: Array, i: int, some: Array, n: int, out: Array) -> None:
    """Prices of the joins of a cluster with the first ``n`` of ``some``, plane by plane like ``scan``."""
    prices = space.entries[PRICES]
    for c in range(n):
        out[c] = space.base
    for p in range(cells.shape[1]):
        q, at, width = cells[i, p], space.planes[AT, p], space.planes[WIDTH, p]
        if space.planes[KIND, p] == TABLE:
            row = prices[at + q * width : at + q * width + width]
            for c in range(n):
                out[c] += row[np.uint64(cells[some[c], p])]
        else:
            for c in range(n):
                out[c] += join_price(space, p, q, cells[some[c], p])


@inner
def _enlist(clusters: Clusters, links: Array, i: int, some: Array, n: int, prices: Array, width: int) -> None:
    """Insert into a cluster's list those of ``some`` that beat its ``width``-th entry; ``_NEVER`` is no price."""
    last = links.shape[1] - 1
    for c in range(n):
        link = _link(clusters, i, some[c], prices[c])
        if link >= links[i, width - 1] or prices[c] == _NEVER:
            continue
        t = width - 1
        while t > 0 and links[i, t - 1] > link:
            t -= 1
        if t > 0 and links[i, t - 1] | NEW == link:  # already listed
            continue
        for u in range(last, t, -1):
            links[i, u] = links[i, u - 1]
        links[i, t] = link


@kernel
def split_leaves(space: Space, cells: Array, most: int, state: Array) -> tuple[Array, Array]:
    """Split clusters at random into leaves of at most ``most`` similar ones; return their order and the leaf borders.

    Each split picks two random clusters, and every other cluster goes to the one that is cheaper to join.
    O(n log n · planes).
    """
    n, start = cells.shape[0], 0
    order, spare, borders = np.arange(n).astype(np.int32), np.empty(n, np.int32), np.zeros(n + 1, np.bool_)
    near, far = np.empty(n, np.int32), np.empty(n, np.int32)
    borders[0] = borders[n] = True
    while start < n:
        stop = start + 1
        while not borders[stop]:
            stop += 1
        here, size = order[start:stop], stop - start
        if size <= most:
            start = stop
            continue
        _price_some(space, cells, here[below(state, size)], here, size, near)
        _price_some(space, cells, here[below(state, size)], here, size, far)
        low, high = 0, 0
        for c in range(size):
            if near[c] < far[c] or (near[c] == far[c] and c % 2 == 0):
                here[low], low = here[c], low + 1
            else:
                spare[high], high = here[c], high + 1
        for c in range(high):
            here[low + c] = spare[c]
        borders[start + (low if min(low, high) * _LEAST >= size else size // 2)] = True
    return order, borders


@kernel
def link_block(space: Space, clusters: Clusters, members: Array, links: Array, width: int) -> None:
    """Let each of ``members`` consider all the others for its list. O(members² · planes)."""
    n, n_planes = members.size, clusters.cells.shape[1]
    cells, prices = np.empty((n_planes, n), np.int64), np.empty(n, np.int32)
    for x in range(n):
        for p in range(n_planes):
            cells[p, x] = clusters.cells[members[x], p]
    for x in range(n):
        scan(space, n_planes, cells, 0, n, cells, x, prices)
        prices[x] = _NEVER
        _enlist(clusters, links, members[x], members, n, prices, width)


@kernel
def turned(links: Array, most: int) -> Array:
    """For each cluster, those that have it among the first ``most`` of their list, at most ``most`` and without scores.

    Clusters that have it nearer the start of their lists come first. O(lists).
    """
    n = links.shape[0]
    back, counts = np.full((n, most), NONE), np.zeros(n, np.int64)
    for t in range(most):
        for i in range(n):
            j = whom(links[i, t])
            if links[i, t] != NONE and counts[j] < most:
                back[j, counts[j]] = np.int64(i) << WHOM | links[i, t] & NEW
                counts[j] += 1
    return back


@kernel
def link_further(
    space: Space, clusters: Clusters, start: int, stop: int, before: Array, back: Array, links: Array, width: int
) -> None:
    """Let some clusters consider the neighbours of their neighbours, in both directions, if one of the links is new.

    ``before`` holds the first links of all clusters, ``back`` the same inverted. Only rows ``start`` to ``stop`` of
    ``links`` are written. O(clusters · before² · planes).
    """
    n, m = before.shape
    seen, most = np.full(n, -1, np.int32), 2 * m * (m + 1)
    some, prices = np.empty(most, np.int32), np.empty(most, np.int32)
    for i in range(start, stop):
        seen[i], found = i, 0
        for link in links[i]:
            if link != NONE:
                seen[whom(link)] = i
        for u in range(2 * m):
            via = before[i, u] if u < m else back[i, u - m]
            if via == NONE:
                continue
            a = whom(via)
            if via & NEW and seen[a] != i:
                seen[a], some[found], found = i, a, found + 1
            for t in range(m):
                link = before[a, t]
                if link == NONE:
                    break
                j = whom(link)
                if (via | link) & NEW and seen[j] != i:
                    seen[j], some[found], found = i, j, found + 1
        _price_some(space, clusters.cells, i, some, found, prices)
        _enlist(clusters, links, i, some, found, prices, width)


@inner
def _noted(links: Array, i: int, into: Array, is_open: Array, i_now: int, some: Array, n: int) -> int:
    """Append to ``some`` the current clusters in a list, except ``i_now`` and closed ones; return the new length."""
    for link in links[i]:
        if link == NONE:
            break
        j = root(into, whom(link))
        if j != i_now and is_open[j]:
            some[n], n = j, n + 1
    return n


@inner
def _list_anew(space: Space, clusters: Clusters, links: Array, i: int, some: Array, n: int, prices: Array) -> None:
    """Rebuild a cluster's list from ``some``, as these clusters are now."""
    for t in range(links.shape[1]):
        links[i, t] = NONE
    _price_some(space, clusters.cells, i, some, n, prices)
    _enlist(clusters, links, i, some, n, prices, links.shape[1])


@inner
def _wins(links: Array, one: int, other: int) -> bool:
    """Whether one cluster's first link scores better than another's; ties go to the lower number."""
    if one < 0 or other < 0:
        return one >= 0
    mine, theirs = links[one, 0] >> SCORE, links[other, 0] >> SCORE
    return bool(mine < theirs or (mine == theirs and one < other))


@inner
def _play(links: Array, tree: Array, node: int) -> None:
    """Update the winner tree above a leaf."""
    node //= 2
    while node >= 1:
        one, other = tree[2 * node], tree[2 * node + 1]
        tree[node] = one if _wins(links, one, other) else other
        node //= 2


@inner
def _unite(space: Space, clusters: Clusters, i: int, j: int) -> None:
    """Merge cluster ``j`` into cluster ``i``."""
    clusters.own[i] = space.base
    for p in range(clusters.cells.shape[1]):
        cell = join(space, p, clusters.cells[i, p], clusters.cells[j, p])
        clusters.cells[i, p] = cell
        clusters.own[i] += join_price(space, p, cell, cell)
    clusters.sizes[i] += clusters.sizes[j]


@kernel
def merge_along(space: Space, clusters: Clusters, links: Array, k: int, limit: int) -> Array:
    """Merge the nearest listed pair repeatedly, up to the score ``limit``; return the final cluster of each cluster.

    A merged cluster takes over both lists. A cluster of k rows or more is done and disappears from all lists. A list
    with outdated entries is rebuilt once its first entry is the nearest of all. Clusters and lists are changed in
    place. O(merges · list · planes).
    """
    n, m = links.shape
    into, version, seen = np.arange(n), np.zeros(n, np.int64), np.zeros(n, np.int64)
    some, prices, base, is_open = np.empty(2 * m, np.int32), np.empty(2 * m, np.int32), 1, clusters.sizes < k
    while base < n:
        base *= 2
    tree = np.full(2 * base, -1, np.int64)
    for i in range(n):
        tree[base + i] = i if is_open[i] else -1
    for node in range(base - 1, 0, -1):
        tree[node] = tree[2 * node] if _wins(links, tree[2 * node], tree[2 * node + 1]) else tree[2 * node + 1]
    while tree[1] >= 0 and links[tree[1], 0] >> SCORE <= limit:
        i = tree[1]
        j = whom(links[i, 0])
        is_now = into[j] == j and version[j] == seen[i] and is_open[j]
        i, j = (min(i, j), max(i, j)) if is_now else (i, i)
        if is_now:
            _unite(space, clusters, i, j)
            into[j], version[i], tree[base + j] = i, version[i] + 1, -1
            is_open[i] = clusters.sizes[i] < k
            _play(links, tree, base + j)
        if is_open[i]:
            n_some = _noted(links, i, into, is_open, i, some, 0)
            n_some = _noted(links, j, into, is_open, i, some, n_some) if is_now else n_some
            _list_anew(space, clusters, links, i, some, n_some, prices)
            seen[i] = version[whom(links[i, 0])] if n_some else 0
        else:
            tree[base + i] = -1
        _play(links, tree, base + i)
    for i in range(n):
        into[i] = root(into, i)
    return into


@kernel
def look_again(
    space: Space, clusters: Clusters, start: int, stop: int, into: Array, is_open: Array, links: Array
) -> None:
    """Rebuild the outdated lists of some open clusters. O(clusters · list · planes)."""
    m = links.shape[1]
    some, prices = np.empty(m, np.int32), np.empty(m, np.int32)
    for i in range(start, stop):
        if is_open[i]:
            n_some = _noted(links, i, into, is_open, i, some, 0)
            _list_anew(space, clusters, links, i, some, n_some, prices)
