"""Merge clusters: within a block in slices; more of them in rounds, along lists of near ones or in changing blocks."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from threading import Event

import numpy as np

from shoal.algorithms.clustering.coded_rows import Coding, closed_in_parallel
from shoal.algorithms.clustering.nearest_lists import NearestLists
from shoal.algorithms.clustering.threads import shared
from shoal.algorithms.clustering.vantage_point_leaves import leaves
from shoal.core.arrays import Whole
from shoal.core.groups import Groups
from shoal.core.progress import Progress
from shoal.core.randomness import Randomness
from shoal.kernels.clustering_agglomerate import GONE, OPENED, State, agglomerate, begin, ends

_SHARE = 0.5
"""A round merges pairs that are as close as this share of a block's clusters are to their partners."""

_STEPS = 1000
"""Searches for a closest partner per slice: 20 ms on easy tables, half a second on hard ones."""

_BETWEEN = 20
"""Searches between two checks of how close the closest pair is."""

_FEW, _FIRST = 6, 0.6
"""With more than this many planes, every candidate is priced on this share of them, and few on the others."""


class MergeRounds:
    """The clusters of all distinct rows, merged until each has k rows; one may have fewer.

    While more than ``block`` clusters are open, a round splits them at random into blocks of similar ones and merges
    only close pairs: a cluster whose neighbours are beyond a border waits for the next round, which draws other
    borders. With ``n_near`` above 0, a round merges along lists of ``n_near`` near clusters instead. What fits into one
    block is clustered at once. ``homes`` is the cluster of each distinct row.
    """

    def __init__(self, coding: Coding, k: int, linkage: int, by_last: bool, n_near: int = 0) -> None:
        self._coding, self._k, self._linkage, self._by_last, self._n_near = coding, k, linkage, by_last, n_near
        self._cells, self._told = coding.cells, deque[float]()
        self._sizes: Whole = np.bincount(coding.row, minlength=coding.cells.shape[1])
        self.homes: Whole = np.arange(self._sizes.size)

    def run(self, block: int, randomness: Randomness, progress: Progress) -> None:
        """Merge, with blocks in parallel. About n · √block steps times planes, twice as many as with fixed blocks."""
        progress.stage("clustering", float(self._sizes.size))
        self._progress, self._left = progress, float(self._sizes.size)
        lists = NearestLists(self._coding.space, self._k, self._linkage, self._n_near, randomness)
        while (still := np.flatnonzero(self._sizes < self._k)).size > block:
            cells = np.ascontiguousarray(self._cells[:, still])
            if self._n_near:
                self._merge_along(lists, still, cells)
                continue
            self._round([still[some] for some in leaves(self._coding.space, cells, block, randomness)], is_last=False)
        self._round([still], is_last=True)
        progress.advance(self._left)

    def _merge_along(self, lists: NearestLists, still: Whole, cells: Whole) -> None:
        """Merge close pairs along the lists of the open clusters."""
        alone = np.arange(still.size + 1)
        _, own = closed_in_parallel(self._coding.space, cells, alone, alone[:-1])
        merged = lists.merged(cells, self._sizes[still], own, self._tell)
        into = np.arange(self._sizes.size)
        into[still] = still[merged]
        self._told.append(float((merged != alone[:-1]).sum()))
        self._tell()
        self._unite(into)

    def _round(self, blocks: list[Whole], is_last: bool) -> None:
        """Merge the close pairs within each block, or everything in the last round."""
        into, stop = np.arange(self._sizes.size), Event()

        def work(some: Whole) -> tuple[Whole, Whole]:
            merging = Merging(
                self._coding, self._cells[:, some], self._sizes[some], self._k, self._linkage, self._by_last
            )
            left = self._left  # slices of the last round tell their share of it
            slices = (share * left for share in merging.slices())
            for amount in slices if is_last else merging.closest(_SHARE):
                self._told.append(amount)
                if len(blocks) == 1:
                    self._tell()
                if stop.is_set():
                    break
            return some, merging.homes

        try:
            for some, homes in shared(work, blocks, self._tell):
                firsts = np.empty(some.size, np.int64)
                firsts[homes[::-1]] = some[::-1]
                into[some] = firsts[homes]
        finally:
            stop.set()
        self._tell()
        self._unite(into)

    def _tell(self) -> None:
        while self._told:
            amount = min(self._left, self._told.popleft())
            self._left -= amount
            self._progress.advance(amount)

    def _unite(self, into: Whole) -> None:
        """Merge each cluster into the given one, and renumber those that remain. O(clusters · planes)."""
        numbers = (np.cumsum(np.bincount(into, minlength=into.size) > 0) - 1)[into]
        parts = Groups.from_ids(numbers.astype(np.int32), int(numbers.max(initial=-1)) + 1)
        self.homes = numbers[self.homes]
        rows = parts.members.astype(np.int64)
        self._cells, _ = closed_in_parallel(self._coding.space, self._cells, parts.offsets, rows)
        self._sizes = np.bincount(numbers, self._sizes).astype(np.int64)


class Merging:
    """Clusters with given cells and sizes, merged until they have k rows; one may have fewer.

    They are merged in slices, so that progress can be reported and work can be stopped in between.

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
