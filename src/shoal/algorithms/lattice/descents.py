"""Greedy paths to a good node: down from the top, and up from the bottom."""

from __future__ import annotations

import numpy as np

from shoal.algorithms.lattice.search import Searcher
from shoal.algorithms.lattice.space import Key, Levels


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
