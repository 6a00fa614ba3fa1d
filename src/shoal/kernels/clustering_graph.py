"""Clusters and those nearest to each, found by looking at neighbours of neighbours; and what merging along them gives.

All pairs are too many to compare where rows are many and differ in many columns, so that bounds exclude little. Most
of the nearest are found all the same: a cluster's neighbours are likely to be near each other (Dong, Charikar and Li
2011, Efficient K-Nearest Neighbor Graph Construction for Generic Similarity Measures).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shoal.kernels.arrays import Array
from shoal.kernels.clustering_agglomerate import linkage_score
from shoal.kernels.clustering_space import AT, KIND, PRICES, TABLE, WIDTH, Space, join, join_price, scan
from shoal.kernels.decorators import inner, kernel

_NEVER = np.int32(2**31 - 1)


class Clusters(NamedTuple):
    """The cells of each cluster in one row of ``cells``, its number of rows, and the price of its cells."""

    cells: Array
    sizes: Array
    own: Array
    linkage: int


class Graph(NamedTuple):
    """A list for each cluster: the nearest that were seen, −1 after the last; how near; and which are new to it."""

    near: Array
    score: Array
    is_new: Array


@inner
def _price_some(space: Space, cells: Array, i: int, some: Array, n: int, out: Array) -> None:
    """Prices of the joins of a cluster with the first ``n`` of some others; plane by plane, as ``scan`` does it."""
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
def _enlist(clusters: Clusters, graph: Graph, i: int, some: Array, n: int, prices: Array) -> None:
    """Put into a cluster's list those of some others that are nearer than its last; ``_NEVER`` is no price."""
    near, score, last = graph.near, graph.score, graph.near.shape[1] - 1
    for c in range(n):
        j = some[c]
        paid = linkage_score(
            clusters.linkage, prices[c], clusters.sizes[i], clusters.own[i], clusters.sizes[j], clusters.own[j]
        )
        if paid >= score[i, last] or prices[c] == _NEVER:
            continue
        t, is_known = last, False
        for u in range(last + 1):
            is_known |= near[i, u] == j
        if is_known:
            continue
        while t > 0 and score[i, t - 1] > paid:
            near[i, t], score[i, t], graph.is_new[i, t] = near[i, t - 1], score[i, t - 1], graph.is_new[i, t - 1]
            t -= 1
        near[i, t], score[i, t], graph.is_new[i, t] = j, paid, True


@kernel
def link_block(space: Space, clusters: Clusters, members: Array, graph: Graph) -> None:
    """Let each of some clusters look at all others of them. O(members² · planes)."""
    n, n_planes = members.size, clusters.cells.shape[1]
    cells, prices = np.empty((n_planes, n), np.int64), np.empty(n, np.int32)
    for x in range(n):
        for p in range(n_planes):
            cells[p, x] = clusters.cells[members[x], p]
    for x in range(n):
        scan(space, n_planes, cells, 0, n, cells, x, prices)
        prices[x] = _NEVER
        _enlist(clusters, graph, members[x], members, n, prices)


@kernel
def turned(graph: Graph) -> Graph:
    """For each cluster those that have it in their list, and whether it is new there; as many as a list holds.

    Those come first that have it near the start of theirs. O(lists).
    """
    n, m = graph.near.shape
    near, is_new, counts = np.full((n, m), -1, np.int32), np.zeros((n, m), np.bool_), np.zeros(n, np.int64)
    for t in range(m):
        for i in range(n):
            j = graph.near[i, t]
            if j >= 0 and counts[j] < m:
                near[j, counts[j]], is_new[j, counts[j]] = i, graph.is_new[i, t]
                counts[j] += 1
    return Graph(near, graph.score, is_new)


@kernel
def link_further(
    space: Space, clusters: Clusters, start: int, stop: int, before: Graph, back: Graph, graph: Graph
) -> None:
    """Let some clusters look at the neighbours of their neighbours, either way, where one of the two links is new.

    ``before`` are the lists of all, ``back`` the same turned; ``graph`` is written, in the rows from ``start`` to
    ``stop`` alone. O(clusters · list² · planes).
    """
    n, m = before.near.shape
    seen, most = np.full(n, -1, np.int32), 2 * m * (m + 1)
    some, prices = np.empty(most, np.int32), np.empty(most, np.int32)
    for i in range(start, stop):
        seen[i], found = i, 0
        for t in range(m):
            if before.near[i, t] >= 0:
                seen[before.near[i, t]] = i
        for u in range(2 * m):
            a = before.near[i, u] if u < m else back.near[i, u - m]
            if a < 0:
                continue
            is_new = before.is_new[i, u] if u < m else back.is_new[i, u - m]
            if is_new and seen[a] != i:
                seen[a], some[found], found = i, a, found + 1
            for t in range(m):
                j = before.near[a, t]
                if j >= 0 and seen[j] != i and (is_new or before.is_new[a, t]):
                    seen[j], some[found], found = i, j, found + 1
        _price_some(space, clusters.cells, i, some, found, prices)
        _enlist(clusters, graph, i, some, found, prices)


@inner
def _end(into: Array, i: int) -> int:
    """The cluster that a cluster is in now, halving the path on the way."""
    while into[i] != i:
        into[i] = into[into[i]]
        i = into[i]
    return i


@inner
def _look_again(
    space: Space, clusters: Clusters, graph: Graph, into: Array, k: int, i: int, some: Array, n: int, prices: Array
) -> None:
    """Make a cluster's list anew, of some clusters as they are now: without itself and those that have k rows."""
    found = 0
    for c in range(n):
        j = _end(into, some[c]) if some[c] >= 0 else i
        if j != i and clusters.sizes[j] < k:
            some[found], found = j, found + 1
    for t in range(graph.near.shape[1]):
        graph.near[i, t], graph.score[i, t] = -1, np.inf
    _price_some(space, clusters.cells, i, some, found, prices)
    _enlist(clusters, graph, i, some, found, prices)


@inner
def _wins(graph: Graph, one: int, other: int) -> bool:
    """Whether the first of a cluster's list is nearer to it than that of another; of equals the lower number wins."""
    if one < 0 or other < 0:
        return one >= 0
    mine, theirs = graph.score[one, 0], graph.score[other, 0]
    return bool(mine < theirs or (mine == theirs and one < other))


@inner
def _play(graph: Graph, tree: Array, node: int) -> None:
    """Play the matches above a leaf of the tree of winners again."""
    node //= 2
    while node >= 1:
        one, other = tree[2 * node], tree[2 * node + 1]
        tree[node] = one if _wins(graph, one, other) else other
        node //= 2


@kernel
def merge_along(space: Space, clusters: Clusters, graph: Graph, k: int, limit: float) -> Array:
    """Merge the nearest pair of all lists, again and again, up to a finite ``limit``; the cluster each is in then.

    A merged cluster takes over both lists. One of k rows or more is done, and goes from all lists; a list that names
    clusters as they were is made anew once its first is the nearest of all. Clusters and lists are changed in place: at
    the end the lists of all that are open name clusters as they are. O(merges · list · planes).
    """
    n, m = graph.near.shape
    into, version, seen = np.arange(n), np.zeros(n, np.int64), np.zeros(n, np.int64)
    some, prices, base = np.empty(2 * m, np.int32), np.empty(2 * m, np.int32), 1
    while base < n:
        base *= 2
    tree = np.full(2 * base, -1, np.int64)
    for i in range(n):
        tree[base + i] = i if clusters.sizes[i] < k else -1
    for node in range(base - 1, 0, -1):
        tree[node] = tree[2 * node] if _wins(graph, tree[2 * node], tree[2 * node + 1]) else tree[2 * node + 1]
    while tree[1] >= 0 and graph.score[tree[1], 0] <= limit:
        i = tree[1]
        j = graph.near[i, 0]
        some[:m], some[m:] = graph.near[i], -1
        if into[j] == j and version[j] == seen[i] and clusters.sizes[j] < k:
            some[m:] = graph.near[j]
            i, j = min(i, j), max(i, j)
            for p in range(clusters.cells.shape[1]):
                clusters.cells[i, p] = join(space, p, clusters.cells[i, p], clusters.cells[j, p])
            clusters.sizes[i] += clusters.sizes[j]
            some[0] = i
            _price_some(space, clusters.cells, i, some, 1, prices)
            clusters.own[i], into[j], version[i], tree[base + j] = prices[0], i, version[i] + 1, -1
            some[0] = j
            _play(graph, tree, base + j)
        if clusters.sizes[i] < k:
            _look_again(space, clusters, graph, into, k, i, some, 2 * m, prices)
            seen[i] = version[graph.near[i, 0]]
        else:
            tree[base + i] = -1
        _play(graph, tree, base + i)
    for i in range(n):
        into[i] = _end(into, i)
    for i in range(n):
        if into[i] == i and clusters.sizes[i] < k:
            some[:m] = graph.near[i]
            _look_again(space, clusters, graph, into, k, i, some, m, prices)
    return into
