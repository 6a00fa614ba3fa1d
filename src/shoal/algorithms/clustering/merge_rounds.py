"""Cluster more rows than fit into one block: in rounds, along lists of near clusters or in changing blocks."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from threading import Event

import numpy as np

from shoal.algorithms.clustering.coded_rows import Coding, closed_in_parallel
from shoal.algorithms.clustering.merge_slices import Merging
from shoal.algorithms.clustering.nearest_lists import NearestLists
from shoal.algorithms.clustering.threads import shared
from shoal.algorithms.clustering.vantage_point_leaves import leaves
from shoal.core.arrays import Whole
from shoal.core.groups import Groups
from shoal.core.progress import Progress
from shoal.core.randomness import Randomness

_SHARE = 0.5
"""A round merges pairs that are as close as this share of a block's clusters are to their partners."""


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
            for amount in self._whole(merging) if is_last else merging.closest(_SHARE):
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

    def _whole(self, merging: Merging) -> Iterator[float]:
        """Merge everything that is left; yields the share of the remaining work that each slice completes."""
        total = self._left
        for share in merging.slices():
            yield share * total

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
