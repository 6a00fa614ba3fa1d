"""Strong components of a graph that only gains edges, maintained edge by edge.

Components are contracted to nodes of an acyclic graph, which is kept in topological order (Pearce and Kelly). A new
edge that runs against the order can only affect what lies between its two ends, so only that stretch is searched for
what is reachable from the edge's head and for what reaches its tail. If the two meet, a cycle has closed and its
components become one. Edges inside a component and repeated edges between two components are dropped when they are next
visited.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shoal.kernels.arrays import Array
from shoal.kernels.decorators import inner
from shoal.kernels.small import root, sort_part

UP, NEXT, LAST, RANK, AT, OUT, IN, FORTH, BACK, SEEN = range(10)
"""Rows of ``Web.nodes``."""

TO_NEXT, TO, FROM_NEXT, FROM = range(4)
"""Rows of ``Web.edges``."""

N_EDGES, STAMP, LOOKS, N_COMPONENTS = range(4)
"""Entries of ``Web.counts``."""


class Web(NamedTuple):
    """Components, their member nodes, and the edges between them.

    ``nodes``: a union-find forest of components (``UP``), their members as a list (``NEXT``, ``LAST``), their place in
    the order (``RANK``, and its inverse ``AT``), the first edge out of and into each node, and marks of searches.
    ``edges`` are linked lists: the next edge out of the same node and its head, the next edge into the same node and
    its tail.
    """

    nodes: Array
    edges: Array
    counts: Array
    paths: Array


@inner
def component(web: Web, v: int) -> int:
    """The node that represents the component of ``v``."""
    found: int = root(web.nodes[UP], v)
    return found


@inner
def _reach(web: Web, start: int, limit: int, forward: bool, found: Array) -> int:
    """Find the components up to place ``limit`` that are reachable from ``start``, or reach it; return how many."""
    first, mark = web.nodes[OUT if forward else IN], web.nodes[FORTH if forward else BACK]
    following, other = (web.edges[TO_NEXT], web.edges[TO]) if forward else (web.edges[FROM_NEXT], web.edges[FROM])
    stack, seen, rank = web.paths[0], web.nodes[SEEN], web.nodes[RANK]
    stamp = web.counts[STAMP]
    mark[start], stack[0], found[0] = stamp, start, start
    height, n = 1, 1
    while height:
        height -= 1
        here = stack[height]
        web.counts[LOOKS] += 1
        v = here
        while v >= 0:
            before, e = -1, first[v]
            while e >= 0:
                there = component(web, other[e])
                if there == here or seen[there] == web.counts[LOOKS]:
                    if before < 0:
                        first[v] = following[e]
                    else:
                        following[before] = following[e]
                else:
                    before = e
                    seen[there] = web.counts[LOOKS]
                    inside = rank[there] <= limit if forward else rank[there] >= limit
                    if inside and mark[there] != stamp:
                        mark[there], stack[height], found[n] = stamp, there, there
                        height, n = height + 1, n + 1
                e = following[e]
            v = web.nodes[NEXT, v]
    return n


@inner
def _by_rank(web: Web, some: Array, n: int) -> None:
    """Sort components by their place in the order."""
    for i in range(n):
        some[i] = web.nodes[RANK, some[i]]
    sort_part(some, 0, n)
    for i in range(n):
        some[i] = web.nodes[AT, some[i]]


@inner
def _rearrange(web: Web, forth: Array, n_forth: int, back: Array, n_back: int, root: int) -> None:
    """Redistribute the places found by both searches: what reaches the edge, components on cycles, what it reaches.

    What reaches the edge takes the first places and what it reaches the last, so the former only move down and the
    latter only up: neither may pass a component that was not found. Unused places in between stay empty.
    """
    stamp, n = web.counts[STAMP], 0
    places = np.empty(n_forth + n_back, np.int64)
    for i in range(n_forth):
        places[n] = web.nodes[RANK, forth[i]]
        n += 1
    for i in range(n_back):
        if web.nodes[FORTH, back[i]] != stamp:
            places[n] = web.nodes[RANK, back[i]]
            n += 1
    sort_part(places, 0, n)
    at = 0
    for i in range(n_back):
        if web.nodes[FORTH, back[i]] != stamp:
            web.nodes[RANK, back[i]], web.nodes[AT, places[at]] = places[at], back[i]
            at += 1
    if root >= 0:
        web.nodes[RANK, root], web.nodes[AT, places[at]] = places[at], root
        at += 1
    at = n
    for i in range(n_forth - 1, -1, -1):
        if web.nodes[BACK, forth[i]] != stamp:
            at -= 1
            web.nodes[RANK, forth[i]], web.nodes[AT, places[at]] = places[at], forth[i]


@inner
def connect(web: Web, tail: int, head: int) -> None:
    """Add an edge. There must be room for it."""
    one, other = component(web, tail), component(web, head)
    if one == other:
        return
    e = web.counts[N_EDGES]
    web.counts[N_EDGES] += 1
    web.edges[TO, e], web.edges[TO_NEXT, e], web.nodes[OUT, tail] = head, web.nodes[OUT, tail], e
    web.edges[FROM, e], web.edges[FROM_NEXT, e], web.nodes[IN, head] = tail, web.nodes[IN, head], e
    if web.nodes[RANK, one] < web.nodes[RANK, other]:
        return
    web.counts[STAMP] += 1
    forth, back = web.paths[1], web.paths[2]
    n_forth = _reach(web, other, web.nodes[RANK, one], True, forth)
    n_back = _reach(web, one, web.nodes[RANK, other], False, back)
    _by_rank(web, forth, n_forth)
    _by_rank(web, back, n_back)
    root = one if web.nodes[FORTH, one] == web.counts[STAMP] else -1
    _rearrange(web, forth, n_forth, back, n_back, root)
    if root < 0:
        return
    for i in range(n_forth):
        part = forth[i]
        if web.nodes[BACK, part] == web.counts[STAMP] and part != root:
            web.nodes[UP, part] = root
            web.nodes[NEXT, web.nodes[LAST, root]] = part
            web.nodes[LAST, root] = web.nodes[LAST, part]
            web.counts[N_COMPONENTS] -= 1
