"""Ejection chains between clusters that may be far apart, for long searches.

Neighbourhoods of a few clusters soon offer no improvement; a chain passes through many of them.
"""

from __future__ import annotations

import numpy as np

from shoal.algorithms.clustering.budget import Budget
from shoal.algorithms.clustering.coded_rows import Coding
from shoal.algorithms.clustering.improvement_rounds import Leaf
from shoal.algorithms.clustering.vantage_point_leaves import leaves
from shoal.core.arrays import Whole
from shoal.core.randomness import Randomness
from shoal.kernels.clustering_chains import chains, closed_clusters, nearest
from shoal.kernels.distinct import number_rows

_SECONDS, _STEPS = 8.0, 100_000
"""Shorter searches do not use chains: chains gain most once neighbourhoods gain little, and their kernels take seconds
to compile."""

_ROWS_A_STEP = 6
"""About how many rows' chains can be tried in the time of a step with many neighbours."""

_AT_MOST = 8
"""Chains are used only while this many rounds of them would fit into the rest of the budget."""

_NEAR, _AMONG = 32, 1000
"""A row may go to the clusters of this many near rows, found among so many distinct rows; each round draws different
borders."""

_MOST_ROWS, _OPTIONS = 6, 3
"""The most rows that a chain moves, and how many continuations are tried at each step."""


def is_long(budget: Budget) -> bool:
    """Whether the budget alone makes the search long enough for chains."""
    return budget.seconds >= _SECONDS if budget.steps is None else budget.steps >= _STEPS


def steps_for_chains(coding: Coding, budget: Budget) -> int:
    """How many steps a round of chains counts as; 0 if the budget is too small for one."""
    wanted = max(1, coding.n_rows // _ROWS_A_STEP)
    return wanted if is_long(budget) and budget.share(_AT_MOST * wanted) == _AT_MOST * wanted else 0


def chained(coding: Coding, k: int, leaf: Leaf) -> tuple[Whole, Whole]:
    """Propose changes for a round: chains from as many rows as the leaf has. O(rows · 1,000 · planes)."""
    kinds, firsts = number_rows(leaf.cells)
    near = _near_rows(coding, leaf, kinds.astype(np.int64), firsts)
    clusters = closed_clusters(coding.space, np.ascontiguousarray(leaf.cells.T), leaf.offsets)
    homes, changes = chains(coding.space, clusters, near, kinds, k, kinds.size, _MOST_ROWS, _OPTIONS, leaf.state)
    return homes, changes


def _near_rows(coding: Coding, leaf: Leaf, kinds: Whole, firsts: Whole) -> Whole:
    """For each distinct row of the leaf, the nearest other distinct rows, each represented by a random equal row."""
    cells = np.ascontiguousarray(leaf.cells[:, firsts])
    order = np.argsort(kinds, kind="stable")
    ends = np.cumsum(np.bincount(kinds))
    randomness = Randomness(leaf.seed)
    near = np.empty((firsts.size, _NEAR), np.int64)
    for some in leaves(coding.space, cells, _AMONG, randomness):
        near[some] = some[nearest(coding.space, np.ascontiguousarray(cells[:, some]), _NEAR)]
    counts = np.diff(ends, prepend=0)
    drawn = randomness.words(near.size).reshape(near.shape) % counts[near].astype(np.uint64)
    return np.asarray(order[ends[near] - counts[near] + drawn.astype(np.int64)])
