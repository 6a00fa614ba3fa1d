"""The greedy with a better choice among patterns of equal cost: the one that fits most rows first."""

from __future__ import annotations

import numpy as np

from shoal.algorithms.patterns.assignment import Assignment
from shoal.algorithms.patterns.problem import Problem
from shoal.core.arrays import Codes
from shoal.kernels.patterns_sweep import coverage, sweep


def cover_thriftily(problem: Problem, floor: int) -> Assignment:
    """As ``cover``, but patterns of one cost are ordered by how many rows they fit before the first of them is used.

    What the others leave behind is then less scattered: 1 to 5 % fewer stars than the paper's order on its own tables.
    For promises about size only. About twice the greedy's time.
    """
    chosen = np.full(problem.weights.size, -1, np.int32)
    bounds = np.flatnonzero(np.diff(problem.mask.costs, prepend=-1.0))
    for first, stop in zip(bounds, [*bounds[1:], len(problem.mask)], strict=True):
        order = first + _order(problem, chosen, slice(first, stop), floor)
        fresh = np.where(chosen < 0, -1, 0).astype(np.int32)
        sweep(problem.planes, problem.lines[order], problem.idle[order], problem.weights, floor, fresh)
        new = (chosen < 0) & (fresh >= 0)
        chosen[new] = order[fresh[new]]
    return Assignment(problem.table, problem.mask, chosen[problem.table.distinct.ids])


def _order(problem: Problem, chosen: Codes, which: slice, floor: int) -> Codes:
    """Patterns of one cost, those that fit most rows first."""
    fits = coverage(problem.planes, problem.lines[which], problem.idle[which], problem.weights, floor, chosen)
    order: Codes = np.argsort(-fits, kind="stable").astype(np.int32)
    return order
