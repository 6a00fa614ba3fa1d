"""Lists of the nearest clusters, found through neighbours of neighbours, and merges along them."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np

from shoal.algorithms.clustering.threads import shared
from shoal.core.arrays import Flags, Whole
from shoal.core.randomness import Randomness
from shoal.kernels.clustering_graph import (
    NEW,
    NONE,
    SCORE,
    WHOM,
    Clusters,
    link_block,
    link_further,
    look_again,
    merge_along,
    split_leaves,
    turned,
)
from shoal.kernels.clustering_space import Space

_LEAF = 200
"""The size of leaves in which all clusters are compared with each other at first."""

_FIRST, _LATER = (4, 2), (1, 2)
"""How many random splits into such leaves are tried, and how often each cluster then considers its neighbours'
neighbours: in the first round, and in later ones, which already have lists."""

_BREADTH = 12
"""How many of the nearest clusters in a list lead to others."""

_SHARE = 0.4
"""A round merges pairs that are as close as this share of all clusters are to the first in their list."""

_PARTS = 16


class NearestLists:
    """The nearest ``n_near`` other clusters of each open cluster, kept from round to round.

    Not all of the nearest are found: about four of five on rows of 16 columns. Long lists are still useful, because
    their entries are merged and the lists of growing clusters become short.
    """

    def __init__(self, space: Space, k: int, linkage: int, n_near: int, randomness: Randomness) -> None:
        self._space, self._k, self._linkage, self._randomness = space, k, linkage, randomness
        self._links, self._n_rounds = np.full((0, n_near), NONE), 0
        self._breadth = min(_BREADTH, n_near)

    def merged(self, cells: Whole, sizes: Whole, own: Whole, meanwhile: Callable[[], None]) -> Whole:
        """Merge close pairs; return the cluster that each of these clusters is in afterwards.

        In later rounds the clusters must be those that were left, in the same order. O(clusters · lists · planes).
        """
        clusters = Clusters(np.ascontiguousarray(cells.T), sizes.copy(), own.copy(), self._linkage)
        n_trees, n_looks = _LATER if self._links.size else _FIRST
        if not self._links.size:
            self._links = np.full((sizes.size, self._links.shape[1]), NONE)
        self._link_leaves(clusters, n_trees, meanwhile)
        for look in range(n_looks):
            self._look_further(clusters, look == n_looks - 1, meanwhile)
        offers = np.sort(self._links[:, 0][self._links[:, 0] != NONE] >> SCORE)
        limit = int(offers[int(_SHARE * (offers.size - 1))])
        into: Whole = merge_along(self._space, clusters, self._links, self._k, limit)
        self._keep(clusters, into, (into == np.arange(into.size)) & (clusters.sizes < self._k), meanwhile)
        return into

    def _link_leaves(self, clusters: Clusters, n_trees: int, meanwhile: Callable[[], None]) -> None:
        """Compare all clusters within random leaves.

        Only entries among the nearest few are worth a place in a list at this point; lists fill up later anyway.
        """
        self._n_rounds += 1
        draws = self._randomness.child(f"round {self._n_rounds}").integers(2**32 - 1, n_trees).astype(np.int64) + 1

        def split(draw: np.int64) -> tuple[Whole, Flags]:
            order, borders = split_leaves(self._space, clusters.cells, _LEAF, np.array([draw]))
            return order, borders

        for order, borders in shared(split, draws, meanwhile):
            parts = [order[start:stop] for start, stop in pairwise(np.flatnonzero(borders).tolist())]
            shared(lambda part: link_block(self._space, clusters, part, self._links, self._breadth), parts, meanwhile)

    def _look_further(self, clusters: Clusters, is_last: bool, meanwhile: Callable[[], None]) -> None:
        """Consider neighbours of neighbours; each cluster writes only its own list, so thread order does not matter."""
        before = self._links[:, : self._breadth].copy()
        self._links[self._links != NONE] &= ~NEW
        back, width = turned(before, self._breadth), self._links.shape[1] if is_last else self._breadth

        def look(part: tuple[int, int]) -> None:
            link_further(self._space, clusters, *part, before, back, self._links, width)

        shared(look, _parts(clusters.sizes.size), meanwhile)

    def _keep(self, clusters: Clusters, into: Whole, is_open: Flags, meanwhile: Callable[[], None]) -> None:
        """Keep the lists of the open clusters, renumber these clusters, and mark all entries as new."""

        def look(part: tuple[int, int]) -> None:
            look_again(self._space, clusters, *part, into, is_open, self._links)

        shared(look, _parts(into.size), meanwhile)
        links, numbers = self._links[is_open], np.cumsum(is_open) - 1
        named = np.where(links == NONE, 0, (links & 0xFFFFFFFF) >> WHOM)
        self._links = np.where(links == NONE, NONE, links >> SCORE << SCORE | numbers[named] << WHOM | NEW)


def _parts(n: int) -> list[tuple[int, int]]:
    """Enough parts to keep all threads busy."""
    return [*pairwise(np.linspace(0, n, _PARTS + 1).astype(int).tolist())]
