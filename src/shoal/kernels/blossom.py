"""The cheapest perfect matching of a general graph, with its dual solution: Edmonds' blossoms, O(vertices³).

Nodes are numbered from 1: vertices 1 … n, then blossoms (odd sets of vertices treated as one node); 0 means none. A
top-level node is in no blossom. Trees grow from unmatched nodes; nodes at an even distance from a root are outer (0),
others are inner (1) or in no tree (−1). An edge is tight if the labels of its ends, and of all blossoms that contain
both, add up to twice its weight; only tight edges are used.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shoal.kernels.arrays import Array
from shoal.kernels.decorators import kernel

FAR = 1 << 60


class Graph(NamedTuple):
    """The working state of the search.

    ``weights[u, v]`` is negative if there is no edge; ``tails[a, b]`` and ``heads[a, b]`` are the ends in nodes a and b
    of the best edge between them. ``mates`` is the vertex across a node's matched edge, ``links`` the one its tree
    comes from, ``nearest`` the outer vertex with the least slack, ``tops`` the top-level node, ``sides`` as above.
    ``petals[b, :sizes[b]]`` are a blossom's nodes around its cycle, ``holders[b, v]`` the one that contains vertex v.
    ``queue`` lists the outer vertices still to be scanned; ``marks`` belongs to the search for a common root;
    ``counters`` has the highest node, the number of that search, and the first and last place in the queue.
    """

    weights: Array
    tails: Array
    heads: Array
    labels: Array
    mates: Array
    links: Array
    nearest: Array
    tops: Array
    sides: Array
    marks: Array
    petals: Array
    sizes: Array
    holders: Array
    queue: Array
    counters: Array


@kernel
def new_graph(weights: Array) -> Graph:
    """A graph without a matching; vertex 0 of ``weights`` is node 1. O(vertices²)."""
    n = weights.shape[0]
    most = n + n // 2 + 2
    tails = np.zeros((most, most), np.int32)
    heads = np.zeros((most, most), np.int32)
    padded = np.full((n + 1, n + 1), -1, np.int64)
    highest = np.int64(0)
    for u in range(n):
        for v in range(n):
            if u != v and weights[u, v] >= 0:
                padded[u + 1, v + 1] = weights[u, v]
                tails[u + 1, v + 1], heads[u + 1, v + 1] = u + 1, v + 1
                highest = max(highest, weights[u, v])
    holders = np.zeros((most, n + 1), np.int32)
    tops = np.zeros(most, np.int32)
    labels = np.zeros(most, np.int64)
    for v in range(1, n + 1):
        holders[v, v], tops[v], labels[v] = v, v, highest
    return Graph(
        weights=padded,
        tails=tails,
        heads=heads,
        labels=labels,
        mates=np.zeros(most, np.int32),
        links=np.zeros(most, np.int32),
        nearest=np.zeros(most, np.int32),
        tops=tops,
        sides=np.full(most, -1, np.int32),
        marks=np.zeros(most, np.int64),
        petals=np.zeros((most, n + 2), np.int32),
        sizes=np.zeros(most, np.int32),
        holders=holders,
        queue=np.zeros(n + 1, np.int32),
        counters=np.array([n, 0, 0, 0], np.int64),
    )


@kernel
def slack_of(graph: Graph, a: int, b: int) -> int:
    """How far the best edge between two nodes is from being tight."""
    u, v = graph.tails[a, b], graph.heads[a, b]
    slack: int = graph.labels[u] + graph.labels[v] - 2 * graph.weights[u, v]
    return slack


@kernel
def note_slack(graph: Graph, u: int, x: int) -> None:
    """Record outer vertex ``u`` as the nearest to node ``x`` if it has less slack."""
    if not graph.nearest[x] or slack_of(graph, u, x) < slack_of(graph, graph.nearest[x], x):
        graph.nearest[x] = u


@kernel
def find_nearest(graph: Graph, x: int) -> None:
    """Find the nearest outer vertex of a node. O(vertices)."""
    graph.nearest[x] = 0
    for u in range(1, graph.weights.shape[0]):
        if graph.tails[u, x] and graph.tops[u] != x and graph.sides[graph.tops[u]] == 0:
            note_slack(graph, u, x)


@kernel
def enqueue(graph: Graph, x: int) -> None:
    """Queue every vertex of a node. O(vertices)."""
    for v in range(1, graph.weights.shape[0]):
        if graph.holders[x, v]:
            graph.queue[graph.counters[3]] = v
            graph.counters[3] += 1


@kernel
def put_under(graph: Graph, x: int, top: int) -> None:
    """Set the top-level node of a node and of everything inside it."""
    stack = np.empty(graph.tops.size, np.int32)
    stack[0], n = x, 1
    while n:
        n -= 1
        node = stack[n]
        graph.tops[node] = top
        for i in range(graph.sizes[node]):
            stack[n] = graph.petals[node, i]
            n += 1


@kernel
def turn(numbers: Array, first: int, stop: int) -> None:
    """Reverse part of a list in place."""
    stop -= 1
    while first < stop:
        numbers[first], numbers[stop] = numbers[stop], numbers[first]
        first += 1
        stop -= 1


@kernel
def even_way(graph: Graph, b: int, petal: int) -> int:
    """The place of a petal, after reversing the cycle if needed so that the path to it from the base is even."""
    size, place = graph.sizes[b], 0
    while graph.petals[b, place] != petal:
        place += 1
    if place % 2 == 0:
        return place
    turn(graph.petals[b], 1, size)
    other: int = size - place
    return other


@kernel
def match(graph: Graph, x: int, y: int) -> None:
    """Match node ``x`` by its edge to node ``y``, and rematch the cycles of the blossoms involved."""
    stack = np.empty((graph.tops.size, 2), np.int32)
    stack[0, 0], stack[0, 1], n = x, y, 1
    while n:
        n -= 1
        a, b = stack[n]
        graph.mates[a] = graph.heads[a, b]
        size = graph.sizes[a]
        if size:
            petal = graph.holders[a, graph.tails[a, b]]
            place = even_way(graph, a, petal)
            for i in range(place):
                stack[n, 0], stack[n, 1] = graph.petals[a, i], graph.petals[a, i ^ 1]
                n += 1
            stack[n, 0], stack[n, 1] = petal, b
            n += 1
            turn(graph.petals[a], 0, place)
            turn(graph.petals[a], place, size)
            turn(graph.petals[a], 0, size)


@kernel
def augment(graph: Graph, u: int, v: int) -> None:
    """Match ``u`` with ``v`` and flip the matching along the path from ``u`` to its root."""
    while True:
        before = graph.tops[graph.mates[u]] if graph.mates[u] else 0
        match(graph, u, v)
        if not before:
            return
        above = graph.tops[graph.links[before]]
        match(graph, before, above)
        u, v = above, before


@kernel
def common_root(graph: Graph, u: int, v: int) -> int:
    """The first node that the paths of both to their roots share; 0 if the roots differ."""
    graph.counters[1] += 1
    while u or v:
        if u:
            if graph.marks[u] == graph.counters[1]:
                return u
            graph.marks[u] = graph.counters[1]
            u = graph.tops[graph.mates[u]] if graph.mates[u] else 0
            if u:
                u = graph.tops[graph.links[u]]
        u, v = v, u
    return 0


@kernel
def collect(graph: Graph, b: int, x: int, base: int) -> None:
    """Add the nodes on the path from ``x`` to the base to a blossom; inner nodes become outer."""
    while x != base:
        y = graph.tops[graph.mates[x]]
        graph.petals[b, graph.sizes[b]], graph.petals[b, graph.sizes[b] + 1] = x, y
        graph.sizes[b] += 2
        enqueue(graph, y)
        x = graph.tops[graph.links[y]]


@kernel
def shrink(graph: Graph, u: int, base: int, v: int) -> None:
    """Contract the odd cycle that an edge between ``u`` and ``v`` closes into one outer node."""
    n, b = graph.weights.shape[0] - 1, graph.weights.shape[0]
    while b <= graph.counters[0] and graph.tops[b]:
        b += 1
    graph.counters[0] = max(graph.counters[0], b)
    graph.labels[b], graph.sides[b], graph.mates[b], graph.links[b] = 0, 0, graph.mates[base], graph.links[base]
    graph.petals[b, 0], graph.sizes[b] = base, 1
    collect(graph, b, u, base)
    turn(graph.petals[b], 1, graph.sizes[b])
    collect(graph, b, v, base)
    put_under(graph, b, b)
    graph.tails[b, :] = 0
    graph.tails[:, b] = 0
    graph.holders[b, :] = 0
    for i in range(graph.sizes[b]):
        petal = graph.petals[b, i]
        for x in range(1, graph.counters[0] + 1):
            better = graph.tails[petal, x] and (
                not graph.tails[b, x] or slack_of(graph, petal, x) < slack_of(graph, b, x)
            )
            if better and x != b:
                graph.tails[b, x], graph.heads[b, x] = graph.tails[petal, x], graph.heads[petal, x]
                graph.tails[x, b], graph.heads[x, b] = graph.tails[x, petal], graph.heads[x, petal]
        for x in range(1, n + 1):
            if graph.holders[petal, x]:
                graph.holders[b, x] = petal
    find_nearest(graph, b)


@kernel
def expand(graph: Graph, b: int) -> None:
    """Expand an inner blossom whose label has reached zero; an even part of its cycle stays in the tree."""
    size = graph.sizes[b]
    for i in range(size):
        put_under(graph, graph.petals[b, i], graph.petals[b, i])
    entry = graph.holders[b, graph.tails[b, graph.links[b]]]
    place = even_way(graph, b, entry)
    for i in range(0, place, 2):
        inner, outer = graph.petals[b, i], graph.petals[b, i + 1]
        graph.links[inner] = graph.tails[outer, inner]
        graph.sides[inner], graph.sides[outer] = 1, 0
        graph.nearest[inner] = 0
        find_nearest(graph, outer)
        enqueue(graph, outer)
    graph.sides[entry], graph.links[entry] = 1, graph.links[b]
    for i in range(place + 1, size):
        graph.sides[graph.petals[b, i]] = -1
        find_nearest(graph, graph.petals[b, i])
    graph.tops[b], graph.sizes[b] = 0, 0


@kernel
def use_edge(graph: Graph, tail: int, head: int) -> bool:
    """Use a tight edge from an outer vertex: grow, shrink or augment. True if the matching has grown."""
    u, v = graph.tops[tail], graph.tops[head]
    if graph.sides[v] == -1:
        graph.links[v], graph.sides[v] = tail, 1
        after = graph.tops[graph.mates[v]]
        graph.nearest[v], graph.nearest[after], graph.sides[after] = 0, 0, 0
        enqueue(graph, after)
    elif graph.sides[v] == 0:
        base = common_root(graph, u, v)
        if not base:
            augment(graph, u, v)
            augment(graph, v, u)
            return True
        shrink(graph, u, base, v)
    return False


@kernel
def step(graph: Graph) -> int:
    """How far labels can change before an edge becomes tight or a blossom's label reaches zero. O(nodes)."""
    n, far = graph.weights.shape[0] - 1, FAR
    for x in range(1, graph.counters[0] + 1):
        if graph.tops[x] != x:
            continue
        if x > n and graph.sides[x] == 1:
            far = min(far, graph.labels[x] // 2)
        if graph.nearest[x] and graph.sides[x] == -1:
            far = min(far, slack_of(graph, graph.nearest[x], x))
        if graph.nearest[x] and graph.sides[x] == 0:
            far = min(far, slack_of(graph, graph.nearest[x], x) // 2)
    return far


@kernel
def relabel(graph: Graph, far: int) -> None:
    """Lower the labels of outer vertices and raise those of inner ones; for blossoms the reverse, twice as far."""
    n = graph.weights.shape[0] - 1
    for v in range(1, n + 1):
        side = graph.sides[graph.tops[v]]
        if side >= 0:
            graph.labels[v] += far if side else -far
    for b in range(n + 1, graph.counters[0] + 1):
        if graph.tops[b] == b and graph.sides[b] >= 0:
            graph.labels[b] += -2 * far if graph.sides[b] else 2 * far


@kernel
def scan(graph: Graph) -> bool:
    """Scan the edges of the queued vertices; True if the matching has grown."""
    while graph.counters[2] < graph.counters[3]:
        u = graph.queue[graph.counters[2]]
        graph.counters[2] += 1
        if graph.sides[graph.tops[u]] == 1:
            continue
        for v in range(1, graph.weights.shape[0]):
            if graph.weights[u, v] >= 0 and graph.tops[u] != graph.tops[v]:
                if slack_of(graph, u, v) == 0:
                    if use_edge(graph, u, v):
                        return True
                else:
                    note_slack(graph, u, graph.tops[v])
    return False


@kernel
def grow(graph: Graph) -> bool:
    """Add one matched edge; False if there is none to add. O(vertices²)."""
    n = graph.weights.shape[0] - 1
    graph.sides[:] = -1
    graph.nearest[:] = 0
    graph.counters[2], graph.counters[3] = 0, 0
    for x in range(1, graph.counters[0] + 1):
        if graph.tops[x] == x and not graph.mates[x]:
            graph.links[x], graph.sides[x] = 0, 0
            enqueue(graph, x)
    if not graph.counters[3]:
        return False
    while True:
        if scan(graph):
            return True
        far = step(graph)
        if far >= FAR:
            return False
        relabel(graph, far)
        graph.counters[2], graph.counters[3] = 0, 0
        for x in range(1, graph.counters[0] + 1):
            near = graph.nearest[x]
            is_tight = graph.tops[x] == x and near and graph.tops[near] != x and slack_of(graph, near, x) == 0
            if is_tight and use_edge(graph, graph.tails[near, x], graph.heads[near, x]):
                return True
        for b in range(n + 1, graph.counters[0] + 1):
            if graph.tops[b] == b and graph.sides[b] == 1 and graph.labels[b] == 0:
                expand(graph, b)


@kernel
def shared_labels(graph: Graph) -> Array:
    """``[u, v]``: the sum of the labels of all blossoms that contain both vertices. O(vertices² · depth)."""
    n = graph.weights.shape[0] - 1
    shared = np.zeros((n, n), np.int64)
    for b in range(n + 1, graph.counters[0] + 1):
        if graph.tops[b] and graph.labels[b]:
            for u in range(1, n + 1):
                for v in range(1, n + 1):
                    if graph.holders[b, u] and graph.holders[b, v]:
                        shared[u - 1, v - 1] += graph.labels[b]
    return shared


@kernel
def heaviest_perfect(weights: Array) -> tuple[Array, Array, Array]:
    """The heaviest matching of maximum size: mates (−1: none), labels, and labels shared in blossoms.

    Weights are integers, negative if there is no edge. Every edge has ``labels[u] + labels[v] + shared[u, v]`` at least
    twice its weight, and a perfect matching attains that bound. O(vertices³).
    """
    graph = new_graph(weights)
    while grow(graph):
        pass
    n = weights.shape[0]
    mates = np.full(n, -1, np.int32)
    for v in range(n):
        mates[v] = graph.mates[v + 1] - 1
    return mates, graph.labels[1 : n + 1].copy(), shared_labels(graph)
