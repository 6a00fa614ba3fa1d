"""Clusterings the slow way: all pairs, all partitions, all unions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import combinations
from math import log2

import numpy as np

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


def best_chain(clusters: Sequence[Rows], first: int, price: Price, k: int, most: int) -> int:
    """By how much the best chain of up to ``most`` rows lowers the cost (0 or less), all of them being tried.

    The first row enters another cluster, a row of that cluster the next one, …; the last goes where the first came
    from or, if that cluster can spare a row, stays in any cluster. What is changed so far is always a gain.
    """
    homes = {row: c for c, rows in enumerate(clusters) for row in rows}
    home = clusters[homes[first]]

    def changed(rows: Rows, enters: int | None, leaves: int | None) -> int:
        after = [row for row in rows if row != leaves] + ([] if enters is None else [enters])
        return len(after) * price(after) - len(rows) * price(rows)

    def follow(chain: Rows, so_far: int) -> int:
        passed = {homes[row] for row in chain}
        others = [rows for c, rows in enumerate(clusters) if c not in passed]
        found = [0]
        if len(home) > k:
            found += [so_far + changed(rows, chain[-1], None) for rows in others]
        elif len(chain) > 1:
            found.append(so_far + changed(home, chain[-1], first))
        for rows in others if len(chain) < most else []:
            for leaves in rows:
                then = so_far + changed(rows, chain[-1], leaves)
                found += [follow([*chain, leaves], then)] if then < 0 else []
        return min(found)

    return follow([first], changed(home, None, first) if len(home) > k else 0)


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
    """The nearest of some other clusters, as far as a float32 tells; of equals the one with the lowest number."""
    return sorted({j for j in others if j != i}, key=lambda j: (_paid(i, j, clusters, price, linkage), j))[:most]


def _paid(i: int, j: int, clusters: Mapping[int, Rows], price: Price, linkage: str) -> float:
    a, b = clusters[i], clusters[j]
    return float(np.float32(score(linkage, price(a + b), len(a), price(a), len(b), price(b))))


def split_leaves(some: list[int], items: Sequence[Rows], price: Price, most: int, seed: int) -> list[list[int]]:
    """Clusters in leaves: each goes to the one of two random ones with which it is cheaper to join."""
    state = [seed]

    def drawn(n: int) -> int:
        x = state[0]
        x ^= (x << 13) & 0xFFFFFFFF
        x ^= x >> 17
        x ^= (x << 5) & 0xFFFFFFFF
        state[0] = x
        return (x * n) >> 32

    def split(some: list[int]) -> list[list[int]]:
        if len(some) <= most:
            return [some]
        one, other = some[drawn(len(some))], some[drawn(len(some))]
        near = [price(items[i] + items[one]) if i != one else price(items[i]) for i in some]
        far = [price(items[i] + items[other]) if i != other else price(items[i]) for i in some]
        is_low = [a < b or (a == b and c % 2 == 0) for c, (a, b) in enumerate(zip(near, far, strict=True))]
        low = [i for i, flag in zip(some, is_low, strict=True) if flag]
        high = [i for i, flag in zip(some, is_low, strict=True) if not flag]
        cut = len(low) if 10 * min(len(low), len(high)) >= len(some) else len(some) // 2
        parts = [*low, *high]
        return split(parts[:cut]) + split(parts[cut:])

    return split(some)


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
            turns[i] = _paid(i, lists[i][0], clusters, price, linkage), news[lists[i][0]]

    for i in range(len(items)):
        look(i, lists[i])
    while turns:
        i = min(turns, key=lambda c: (turns[c][0], c))
        if turns[i][0] > limit:
            break
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


Chain = Sequence[tuple[frozenset[int], int]]
"""The nodes above a value of a column, from itself to the root: the values that rows have below it, and its price."""


def specialize(rows: Rows, values: Sequence[Sequence[int]], chains: Sequence[Sequence[Chain]], k: int) -> list[Rows]:
    """Groups of rows, cut where the loss falls most by bit: the rows below a child of the node around all, and others.

    ``values[row][p]`` is a row's value of column ``p``, ``chains[p][value]`` the nodes above it.
    """
    cuts = []
    for p in range(len(chains)):
        held = {values[row][p] for row in rows}
        above = next(price for node, price in chains[p][values[rows[0]][p]] if held <= node)
        if len(held) == 1:
            continue
        below = {row: [node for node in chains[p][values[row][p]] if not held <= node[0]][-1] for row in rows}
        children = dict.fromkeys(below.values())
        for child in children:
            part = [row for row in rows if below[row] == child]
            counted = children if len(children) == 2 else [child]
            gain = sum(above - below[row][1] for row in rows if below[row] in counted)
            cuts.append((rows.index(part[0]), p, part, gain))
    best, cut = 0.0, None
    for _, _, part, gain in sorted(cuts):
        share = len(part) / len(rows)
        bits = -share * log2(share) - (1 - share) * log2(1 - share)
        if min(len(part), len(rows) - len(part)) >= k and gain > best * bits:
            best, cut = gain / bits, part
    if cut is None:
        return [rows]
    rest = [row for row in rows if row not in cut]
    return specialize(cut, values, chains, k) + specialize(rest, values, chains, k)
