"""Clusterings the slow way: all pairs, all partitions, all unions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from itertools import combinations

from shoal.core.hierarchy import Hierarchy

Rows = list[int]
Price = Callable[[Sequence[int]], int]
"""What the cells around some rows cost."""


def score(linkage: str, whole: int, size: int, own: int, other_size: int, other_own: int) -> float:
    """What a merge costs."""
    if linkage == "closure":
        return float(whole)
    added = (size + other_size) * whole - size * own - other_size * other_own
    return float(added) if linkage == "increase" else added / (size + other_size)


def agglomerate(items: Sequence[Rows], price: Price, k: int, linkage: str) -> list[Rows]:
    """Merge the cheapest pair of clusters with fewer than k rows while there are two; of equals the first pair."""
    clusters = dict(enumerate(items))
    while len(small := [c for c, rows in clusters.items() if len(rows) < k]) > 1:

        def cost(pair: tuple[int, int]) -> tuple[float, int, int]:
            a, b = (clusters[c] for c in pair)
            return score(linkage, price(a + b), len(a), price(a), len(b), price(b)), *pair

        low, high = min(combinations(sorted(small), 2), key=cost)
        clusters[low] = clusters[low] + clusters.pop(high)
    return list(clusters.values())


def link(items: Sequence[Rows], price: Price, k: int) -> list[int]:
    """The parent of each item: the root of a tree with fewer than k rows is linked to the nearest item outside."""
    parents, trees = [-1] * len(items), [[i] for i in range(len(items))]
    for i in range(len(items)):
        tree = _tree_of(trees, i)
        while sum(len(items[j]) for j in tree) < k:
            root = next(j for j in tree if parents[j] < 0)
            outside = [j for j in range(len(items)) if j not in tree]
            parents[root] = min(outside, key=lambda j: (price([items[root][0], items[j][0]]), j))
            other = _tree_of(trees, parents[root])
            trees = [t for t in trees if t not in (tree, other)] + [tree + other]
            tree = tree + other
    return parents


def _tree_of(trees: list[list[int]], i: int) -> list[int]:
    return next(tree for tree in trees if i in tree)


def least_cost(n_rows: int, price: Price, k: int) -> int:
    """The cost of the best partition into groups of at least k rows: every group, every way."""

    @cache
    def best(rest: frozenset[int]) -> float:
        if not rest:
            return 0.0
        first, *others = sorted(rest)
        costs = [float("inf")]
        for size in range(k, len(rest) + 1):
            for chosen in combinations(others, size - 1):
                group = [first, *chosen]
                costs.append(size * price(group) + best(rest - frozenset(group)))
        return min(costs)

    return int(best(frozenset(range(n_rows))))


def level(tree: Hierarchy, leaves: Sequence[int]) -> float:
    """h/l: the lowest level on which these leaves have one node, over the height of the hierarchy."""
    for height in range(tree.n_levels):
        if len({(int(tree.low[height, leaf]), int(tree.high[height, leaf])) for leaf in leaves}) == 1:
            return height / max(1, tree.n_levels - 1)
    raise AssertionError("no root")


def merged(groups: Sequence[Rows], cost: Price, gap: Callable[[Rows], float], weight: float, whole: int) -> list[Rows]:
    """Algorithm 8: unite the group with the largest gap with the best of all others, until no gap is left."""
    lists = [list(rows) for rows in groups]
    while len(lists) > 1 and max(map(gap, lists)) > 0:
        worst = max(range(len(lists)), key=lambda g: (gap(lists[g]), -g))

        def dear(g: int, worst: int = worst) -> tuple[float, float, int]:
            added = cost(lists[g] + lists[worst]) - cost(lists[g]) - cost(lists[worst])
            loss = weight * added / whole
            return loss + (1 - weight) * gap(lists[g] + lists[worst]), loss, g

        partner = min((g for g in range(len(lists)) if g != worst), key=dear)
        lists[partner] += lists[worst]
        lists[worst] = lists[-1]
        lists.pop()
    return lists


Lists = list[list[int]]
"""For each cluster the nearest others, the nearest first."""


def nearest(i: int, others: Sequence[int], clusters: dict[int, Rows], price: Price, linkage: str, most: int) -> Rows:
    """The nearest of some other clusters; of equals the one that is named first."""

    def cost(j: int) -> float:
        a, b = clusters[i], clusters[j]
        return score(linkage, price(a + b), len(a), price(a), len(b), price(b))

    return sorted(dict.fromkeys(j for j in others if j != i), key=cost)[:most]


def seen_further(i: int, lists: Lists, back: Lists) -> set[int]:
    """The neighbours of a cluster, either way, and the neighbours of those."""
    near = [*lists[i], *back[i]]
    return {*near, *(j for a in near for j in lists[a])} - {i}


def merge_along(
    items: Sequence[Rows], lists: Lists, price: Price, k: int, linkage: str, limit: float
) -> tuple[list[int], Lists]:
    """Where each cluster is after merges along lists up to a limit, and the lists of those still open.

    A cluster knows how near the first of its list was when it last looked, and looks again when it is its turn and that
    one has changed.
    """
    clusters, into = dict(enumerate(items)), list(range(len(items)))
    lists, most = [list(near) for near in lists], max(map(len, lists), default=0)
    news = [0] * len(items)
    turns: dict[int, tuple[float, int]] = {}

    def look(i: int, others: Sequence[int]) -> None:
        turns.pop(i, None)
        is_open = len(clusters[i]) < k
        now = [into[j] for j in others if len(clusters[into[j]]) < k] if is_open else []
        lists[i] = nearest(i, now, clusters, price, linkage, most)
        if lists[i]:
            a, b = clusters[i], clusters[lists[i][0]]
            turns[i] = score(linkage, price(a + b), len(a), price(a), len(b), price(b)), news[lists[i][0]]

    for i in range(len(items)):
        look(i, lists[i])
    while turns and min(turns.values())[0] <= limit:
        i = min(turns, key=lambda c: (turns[c][0], c))
        j, others = lists[i][0], lists[i]
        if into[j] == j and news[j] == turns[i][1] and len(clusters[j]) < k:
            others = [*others, *lists[j]]
            i, j = min(i, j), max(i, j)
            clusters[i] = clusters[i] + clusters.pop(j)
            into = [i if end == j else end for end in into]
            news[i] += 1
            turns.pop(j, None)
        look(i, others)
    for i in [i for i in clusters if len(clusters[i]) < k]:
        look(i, lists[i])
    return into, lists
