"""Good nodes early: greedy paths down from the top and up from the bottom, then large-neighbourhood search.

The latter chooses the levels of a few columns at a time again, optimally.
"""

from __future__ import annotations

from math import prod

import numpy as np

from shoal.algorithms.lattice.frontier_array import Live
from shoal.algorithms.lattice.search import Searcher
from shoal.algorithms.lattice.space import Box, Key, Levels
from shoal.core.randomness import Randomness

_FIRST = 64
_GROWTH = 4
_MOST = 1 << 20

Start = tuple[Key, Levels]
"""A feasible node and its key."""


def find_starts(searcher: Searcher, share: float) -> int:
    """Descend from the top and from the best node of a climb, within half the share; return the number of descents."""
    go_down(searcher, searcher.space.top, share / 2)
    start = climb(searcher, share / 2)
    if start is None:
        return 1
    go_down(searcher, start, share / 2)
    return 2


def go_down(searcher: Searcher, levels: Levels, share: float) -> None:
    """From a node, step down to the node that loses least, as long as the loss falls."""
    key = searcher.check(levels)
    while True:
        keyed: list[tuple[Key, Levels]] = []
        for node in searcher.space.below(levels):
            if searcher.time_left(share) < 0:
                return
            found = searcher.check(node)
            if found is not None:
                keyed.append((found, node))
        if not keyed or (key is not None and min(keyed)[0] >= key):
            return
        key, levels = min(keyed)


def climb(searcher: Searcher, share: float) -> Levels | None:
    """From the bottom, step up repeatedly in the column that loses least for the classes it merges.

    Returns the best node on the path; None if none is feasible. Classes only merge on the way up, so each step is
    rolled up from the previous one.
    """
    levels: Levels | None = searcher.space.bottom
    places: list[tuple[Key, Levels]] = []
    while levels is not None:
        key = searcher.check(levels)
        if key is not None:
            places.append((key, levels))
        levels = _step_up(searcher, levels, share)
    return min(places)[1] if places else None


def _step_up(searcher: Searcher, levels: Levels, share: float) -> Levels | None:
    """The node above with the least added loss per logarithm of merged classes; None at the top or out of time."""
    n_classes = len(searcher.judge.grouping.at(levels))
    before = searcher.bounds.of(np.array([levels], np.int32))[0, 0]
    best: tuple[float, Levels] | None = None
    for node in searcher.space.above(levels):
        if searcher.time_left(share) < 0:
            return None
        lost = searcher.bounds.of(np.array([node], np.int32))[0, 0] - before
        merged = np.log(n_classes / len(searcher.judge.grouping.at(node)))
        ratio = float((lost + 1e-12) / (merged + 1e-9))
        best = min(best or (np.inf, node), (ratio, node))
    return best[1] if best else None


def improve(searcher: Searcher, share: float, largest: int = _MOST) -> int:
    """Improve the best node until a share of the time is over or boxes no longer help; return the number of restarts.

    A few columns are drawn, all others keep their levels, and the exact search finds the best node of that box: bounds
    and nodes known to be infeasible rule out most of it. Boxes of up to 64 nodes come first, until every column was
    free several times without success. Then two strategies alternate, each with half of the time: boxes around the best
    node that grow fourfold when they do not help, up to ``largest`` or a million nodes; and restarts from the best node
    with a few columns moved to the root, followed by small boxes. Columns are drawn by a generator with a fixed seed,
    so that two runs differ only because of the clock.
    """
    if searcher.best is None:
        return 0
    walk = _Walk(searcher, share)
    walk.settle(walk.best)
    largest = min(largest, _MOST, searcher.space.n_nodes)
    while searcher.time_left(share) > 0 and walk.most < _GROWTH * largest:
        if walk.spent_on_starts < walk.spent_on_boxes:
            walk.start_again()
        else:
            walk.widen()
    return walk.n_starts


class _Walk:
    """The state of the search."""

    def __init__(self, searcher: Searcher, share: float) -> None:
        self._searcher, self._share = searcher, share
        self._heights = searcher.space.heights
        self._draws = Randomness(0)  # which nodes are tried is no secret, and should be the same in every run
        self._patience = 3 * sum(height > 0 for height in self._heights)
        self._in_vain = 0
        self.most = _FIRST * _GROWTH
        self.n_starts = 0
        self.spent_on_starts, self.spent_on_boxes = 0.0, 0.0

    @property
    def best(self) -> Start:
        """The best node found so far."""
        best = self._searcher.best
        assert best is not None
        return best.key, best.verdict.levels

    def start_again(self) -> None:
        """Search from another start: the best node with up to half of its columns at the root, if that is feasible."""
        since = self._searcher.seconds()
        self.n_starts += 1
        levels = list(self.best[1])
        n_raised = 1 + int(self._draws.integers(max(1, len(levels) // 2), 1)[0])
        for column in self._draws.permutation(len(levels))[:n_raised].tolist():
            levels[column] = self._heights[column]
        key = self._searcher.check(tuple(levels))
        if key is not None:
            self.settle((key, tuple(levels)))
        self.spent_on_starts += self._searcher.seconds() - since

    def widen(self) -> None:
        """Search a box around the best node; boxes grow after many without success."""
        since, before = self._searcher.seconds(), self.best
        box = self._box(before[1], self.most)
        self._in_vain = self._in_vain + _n_open(box) if self._best_in(box, before) == before else 0
        if self._in_vain > self._patience:
            self.most, self._in_vain = self.most * _GROWTH, 0
        self.spent_on_boxes += self._searcher.seconds() - since

    def settle(self, place: Start) -> None:
        """Move from box to box to ever better nodes, until small boxes contain none."""
        in_vain = 0
        while in_vain <= self._patience and self._searcher.time_left(self._share) > 0:
            box = self._box(place[1], _FIRST)
            found = self._best_in(box, place)
            in_vain = in_vain + _n_open(box) if found == place else 0
            place = found

    def _best_in(self, box: Box, place: Start) -> Start:
        """The best node of a box, if it is better than this place; the best one seen if the time is up."""
        candidates = Live(box, self._searcher.bounds, place[0])
        self._searcher.tell(candidates, box)
        while (levels := candidates.next()) is not None and self._searcher.time_left(self._share) > 0:
            key = self._searcher.check(levels, candidates)
            if key is not None and key < place[0]:
                place = key, levels
        return place

    def _box(self, levels: Levels, most: int) -> Box:
        """The box around a node in which some columns are free, as many as ``most`` nodes allow."""
        free: set[int] = set()
        for column in self._draws.permutation(len(levels)).tolist():
            if prod(self._heights[c] + 1 for c in (*free, column)) <= most:
                free.add(column)
        low = tuple(0 if c in free else level for c, level in enumerate(levels))
        return Box(low, tuple(self._heights[c] if c in free else level for c, level in enumerate(levels)))


def _n_open(box: Box) -> int:
    return sum(size > 1 for size in box.shape)
