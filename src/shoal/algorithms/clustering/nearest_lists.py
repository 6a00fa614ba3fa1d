"""Lists of the nearest clusters, found through neighbours of neighbours, and merges along them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import pairwise

import numpy as np

from shoal.algorithms.clustering.threads import shared
from shoal.algorithms.clustering.vantage_point_leaves import leaves
from shoal.core.arrays import Flags, Whole
from shoal.core.randomness import Randomness
from shoal.kernels.clustering_graph import Clusters, Graph, link_block, link_further, merge_along, turned
from shoal.kernels.clustering_space import Space

_LEAF = 100
"""Clusters that all look at each other at first."""

_FIRST, _LATER = (3, 3), (1, 2)
"""How many ways of splitting all clusters into such leaves are tried, and how often each then looks at its neighbours'
neighbours; in the first round, and in later ones, which know the lists that are left."""

_SHARE = 0.5
"""In a round pairs are merged that are as close as this share of all clusters are to the first of their list."""

_PARTS = 16


class NearestLists:
    """The nearest ``n_near`` others of each open cluster, kept from round to round.

    Not all of the nearest are found: about four of five on rows of 16 columns.
    """

    def __init__(self, space: Space, k: int, linkage: int, n_near: int, randomness: Randomness) -> None:
        self._space, self._k, self._linkage, self._n_near = space, k, linkage, n_near
        self._randomness, self._graph, self._n_rounds = randomness, self._empty(0), 0

    def _empty(self, n: int) -> Graph:
        shape = (n, self._n_near)
        return Graph(np.full(shape, -1, np.int32), np.full(shape, np.inf), np.zeros(shape, np.bool_))

    def merged(self, cells: Whole, sizes: Whole, own: Whole, meanwhile: Callable[[], None]) -> Whole:
        """Merge what is close; for each of these clusters the one that it is in then.

        In later rounds they have to be those that were left, in the same order. O(clusters · lists² · planes).
        """
        clusters = Clusters(np.ascontiguousarray(cells.T), sizes.copy(), own.copy(), self._linkage)
        n_trees, n_looks = _LATER if self._graph.near.size else _FIRST
        if not self._graph.near.size:
            self._graph = self._empty(sizes.size)
        self._link_leaves(cells, clusters, n_trees, meanwhile)
        for _ in range(n_looks):
            self._look_further(clusters, meanwhile)
        offers = self._graph.score[:, 0]
        into: Whole = merge_along(
            self._space, clusters, self._graph, self._k, float(np.quantile(offers[np.isfinite(offers)], _SHARE))
        )
        self._keep((into == np.arange(into.size)) & (clusters.sizes < self._k))
        return into

    def _link_leaves(self, cells: Whole, clusters: Clusters, n_trees: int, meanwhile: Callable[[], None]) -> None:
        split = partial(leaves, self._space, cells, _LEAF)
        self._n_rounds += 1
        draws = [self._randomness.child(f"round {self._n_rounds}, tree {tree}") for tree in range(n_trees)]
        for parts in shared(split, draws, meanwhile):
            for _ in shared(lambda part: link_block(self._space, clusters, part, self._graph), parts, meanwhile):
                pass

    def _look_further(self, clusters: Clusters, meanwhile: Callable[[], None]) -> None:
        """Each writes its own list alone and reads those of all as they were, so threads do not matter."""
        before = Graph(self._graph.near.copy(), self._graph.score, self._graph.is_new.copy())
        self._graph.is_new[:] = False
        back = turned(before)
        ends = np.linspace(0, clusters.sizes.size, _PARTS + 1).astype(int).tolist()

        def look(part: tuple[int, int]) -> None:
            link_further(self._space, clusters, *part, before, back, self._graph)

        for _ in shared(look, pairwise(ends), meanwhile):
            pass

    def _keep(self, is_open: Flags) -> None:
        """The lists of clusters that are open, who get numbers of their own; all entries are news to them."""
        numbers = np.append(np.where(is_open, np.cumsum(is_open) - 1, -1), -1).astype(np.int32)
        near, score = numbers[self._graph.near[is_open]], self._graph.score[is_open]
        self._graph = Graph(near, score, np.ones(near.shape, np.bool_))
