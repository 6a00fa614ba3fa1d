"""Merge clusters in slices, so that progress can be reported and work can be stopped between two slices."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from shoal.algorithms.clustering.coded_rows import Coding
from shoal.core.arrays import Whole
from shoal.kernels.clustering_agglomerate import GONE, OPENED, State, agglomerate, begin, ends

_STEPS = 1000
"""Searches for a closest partner per slice: 20 ms on easy tables, half a second on hard ones."""

_BETWEEN = 20
"""Searches between two checks of how close the closest pair is."""

_FEW, _FIRST = 6, 0.6
"""With more than this many planes, every candidate is priced on this share of them, and few on the others."""


class Merging:
    """Clusters with given cells and sizes, merged until they have k rows; one may have fewer.

    Ties between pairs go to the one that comes first when clusters are sorted by their planes, starting with the most
    expensive plane or, with ``by_last``, with the least expensive one.
    """

    def __init__(self, coding: Coding, cells: Whole, sizes: Whole, k: int, linkage: int, by_last: bool = False) -> None:
        self._order = np.lexsort(cells[::-1])
        self._space, self._k, self._linkage = coding.space, k, linkage
        ordered = np.ascontiguousarray(cells[:, self._order])
        n_keys, starts = buckets(ordered)
        n_first = first_planes(n_keys, cells.shape[0])
        by_number = np.lexsort(cells) if by_last else self._order
        self._numbers = np.empty(by_number.size, np.int64)
        self._numbers[by_number] = np.arange(by_number.size)
        numbers = self._numbers[self._order]
        self._state: State = begin(self._space, n_keys, n_first, ordered, sizes[self._order], numbers, starts, k)

    def slices(self) -> Iterator[float]:
        """Do the work, yielding the share of it that each slice has done. The shares add up to 1."""
        told = 0.0
        while agglomerate(self._space, self._state, self._k, self._linkage, _STEPS):
            done = self._done
            yield done - told
            told = done
        yield 1.0 - told

    def closest(self, share: float) -> Iterator[int]:
        """Merge pairs that are as close as the closest ``share`` of all clusters are to their partners, then stop.

        Yields how many clusters each slice has merged or finished.
        """
        state, n, gone = self._state, self._order.size, int(self._state.marks[GONE])
        while (left := n - int(state.marks[OPENED])) > 0:
            agglomerate(self._space, state, self._k, self._linkage, min(_STEPS, left))
            yield 0
        offers = state.score[np.isfinite(state.score)]
        limit = np.quantile(offers, share) if offers.size else 0.0
        while state.tree[1] >= 0 and state.score[state.tree[1]] <= limit:
            agglomerate(self._space, state, self._k, self._linkage, _BETWEEN)
            before, gone = gone, int(state.marks[GONE])
            yield gone - before

    @property
    def _done(self) -> float:
        """The share of the work done: finding the first partners is half of it, merging the other half."""
        marks = self._state.marks
        return float(marks[OPENED] + marks[GONE]) / (2 * self._order.size)

    @property
    def homes(self) -> Whole:
        """A number for each cluster; merged clusters have the same number."""
        into: Whole = ends(self._state)[self._numbers]
        return into


def first_planes(n_keys: int, n_planes: int) -> int:
    """The number of planes on which every candidate is priced."""
    return n_planes if n_planes <= _FEW else max(n_keys, round(_FIRST * n_planes))


def buckets(cells: Whole) -> tuple[int, Whole]:
    """The number of key planes, and where the runs of equal keys start: at most one run per eight cells."""
    n = cells.shape[1]
    fresh = np.arange(n) == 0
    starts, n_keys = np.array([0, n]), 1
    for p in range(cells.shape[0]):
        fresh[1:] |= cells[p, 1:] != cells[p, :-1]
        if p > 0 and fresh.sum() > n / 8:
            break
        starts, n_keys = np.append(np.flatnonzero(fresh), n), p + 1
    return n_keys, starts
