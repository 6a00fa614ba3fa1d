"""A lower bound on the loss of every node, from the optima of a few columns at a time."""

from __future__ import annotations

from math import prod

import numpy as np

from shoal.algorithms.lattice.frontier_array import LISTING, Live
from shoal.algorithms.lattice.search import Searcher
from shoal.algorithms.lattice.space import Box, Levels
from shoal.core.arrays import Floats
from shoal.core.randomness import Randomness

_FIRST = 256
_GROWTH = 8
_MOST = 1 << 20


def column_bound(searcher: Searcher, share: float) -> float:
    """A loss that no feasible node goes below, sharper with more time; minus infinity if there is no such bound.

    If the loss is a mean over columns, take any feasible node and generalize all columns but a few to their root.
    Classes merge, so that those that keep growing promises still keep them and no further row is suppressed: the node
    is feasible, and the few columns lose no more than before. So at every feasible node these columns lose at least as
    much as at the best node that has all other columns at the root, which the exact search finds quickly for a few
    columns. The columns are divided into parts, and the least losses of the parts are added up. Parts of up to 256
    nodes come first, then ever larger ones, and the best division counts.
    """
    roots = searcher.bounds.root_losses
    if roots is None or not searcher.judge.is_upward:
        return -np.inf
    draws, most, best = Randomness(0), _FIRST, -np.inf
    while searcher.time_left(share) > most * LISTING:
        order = draws.permutation(roots.size).tolist()
        parts = _cut(order, searcher.space.heights, most)
        best = max(best, sum(_least(searcher, part, roots, share) for part in parts))
        if len(parts) == 1 or most >= _MOST:
            break
        most *= _GROWTH
    return best * (1 - 1e-12)


def _cut(order: list[int], heights: Levels, most: int) -> list[list[int]]:
    """Divide the ordered columns into parts, each with as many columns as ``most`` nodes allow."""
    parts: list[list[int]] = [[]]
    for column in order:
        if prod(heights[c] + 1 for c in [*parts[-1], column]) > most and parts[-1]:
            parts.append([])
        parts[-1].append(column)
    return parts


def _least(searcher: Searcher, columns: list[int], roots: Floats, share: float) -> float:
    """The least that these columns add to the loss at any feasible node."""
    top = searcher.space.top
    box = Box(tuple(0 if c in columns else level for c, level in enumerate(top)), top)
    candidates = Live(box, searcher.bounds, None)
    searcher.tell(candidates, box)
    is_done = searcher.finish(candidates, share)
    best = np.inf if candidates.best is None else candidates.best[0]
    least = best if is_done else min(best, candidates.lowest()[0])
    others = float(roots.sum() - roots[columns].sum())
    return max(0.0, least - others) if np.isfinite(least) else 0.0
