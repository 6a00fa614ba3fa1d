"""The greedy heuristic, Algorithm 1 of the paper: the cheapest pattern first, and every class it can make at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from shoal.algorithms.patterns.assignment import Assignment
from shoal.algorithms.patterns.base import PatternAlgorithm
from shoal.algorithms.patterns.problem import PatternProblem
from shoal.core.arrays import Codes
from shoal.core.contracts import Goal, GroupModel
from shoal.core.groups import Groups
from shoal.core.progress import Progress
from shoal.core.randomness import Randomness
from shoal.kernels.assignment_graph import expand
from shoal.kernels.patterns_sweep import coverage, large_groups, pack, sweep, turn


@dataclass(frozen=True)
class PatternGreedy(PatternAlgorithm):
    """Suppress cells by allowed patterns only, the cheapest pattern first (Algorithm 1).

    Each pattern in turn, by ascending cost, takes every class of rows without a pattern that keeps all promises. It
    needs at most m times the minimum number of stars for m columns, and this bound is tight; on real tables it is close
    to the minimum.

    Differs from the paper: any promises about groups, levels of hierarchies, weights; and a remainder of fewer than k
    rows is never published as a class of its own.

    Cost: O(rows · patterns) time: all 16,384 patterns on Adult take 0.03 to 0.2 s.

    Reference: Bredereck, Nichterlein and Niedermeier 2013, Pattern-Guided k-Anonymity (section 2.3).

    >>> import polars as pl
    >>> import shoal
    >>> table = pl.DataFrame({"sex": ["m", "m", "f", "f"], "town": ["Ely", "Ripon", "Truro", "Truro"]})
    >>> words = {"quasi_identifiers": ["sex", "town"], "privacy": shoal.KAnonymity(2)}
    >>> release = shoal.anonymize(table, algorithm=shoal.PatternGreedy(never=("sex",)), **words)
    >>> sorted(set(release.to_frame().rows()))
    [('f', 'Truro'), ('m', '*')]
    """

    name: ClassVar[str] = "patterns"
    summary: ClassVar[str] = "suppress cells by the patterns you allow, the cheapest first (fast)"
    serves = (GroupModel,)

    def assign(self, problem: PatternProblem, goal: Goal, randomness: Randomness, progress: Progress) -> Assignment:
        """The greedy's assignment."""
        return cover(problem, goal, progress)


def cover(problem: PatternProblem, goal: Goal, progress: Progress) -> Assignment:
    """Give rows patterns, cheapest first; rows of a class that keeps every promise keep their pattern for good.

    Rows that no pattern fits have none at the end. O(rows · patterns), a few nanoseconds each.
    """
    progress.stage("trying patterns", len(problem.mask))
    if goal.is_about_size:
        chosen = np.full(problem.weights.size, -1, np.int32)
        sweep(problem.planes, problem.lines, problem.idle, problem.weights, goal.floor, chosen)
        return Assignment(problem.table, problem.mask, chosen[problem.table.distinct.ids])
    nothing = Assignment(problem.table, problem.mask, np.full(problem.table.n_rows, -1, np.int32))
    return cover_rows(problem, goal, nothing)


def cover_rows(problem: PatternProblem, goal: Goal, begun: Assignment) -> Assignment:
    """Run the greedy on the rows that have no pattern yet, checking the promises on every pattern's classes.

    No pattern is skipped: a class that was refused may be accepted once others have taken rows out of it.
    """
    members = Groups.from_ids(problem.table.distinct.ids[begun.left], problem.weights.size)
    taken = np.where(members.sizes > 0, -1, 0).astype(np.int32)
    kinds, packed, weights = pack(problem.planes, members.sizes, taken)
    keys, now = np.zeros(kinds.size, np.uint64), np.full(len(problem.mask.ladders), -1, np.int32)
    chosen = begun.chosen.copy()
    for pattern in range(len(problem.mask)):
        turn(keys, packed, now, problem.lines[pattern])
        found, ids, n_groups = large_groups(keys, weights, goal.floor)
        if n_groups:
            groups = _rows_of(members, kinds[found], ids, n_groups)
            groups = Groups(groups.offsets, begun.left[groups.members])
            fine = goal.accepts(problem.table, groups)
            chosen[groups.members[np.repeat(fine, groups.sizes)]] = pattern
            weights[found[fine[ids]]] = 0
    return Assignment(problem.table, problem.mask, chosen)


def _rows_of(members: Groups, distinct: Codes, ids: Codes, n_groups: int) -> Groups:
    """Groups of rows from groups of distinct rows. O(members)."""
    groups = Groups.from_ids(ids, n_groups)
    return Groups(*expand(groups.offsets, distinct[groups.members], members.offsets, members.members))


def cover_thriftily(problem: PatternProblem, floor: int) -> Assignment:
    """Like ``cover``, but order patterns of equal cost by how many rows they fit before the first of them is used.

    The remaining rows are then less scattered: 1 to 5 % fewer stars than the paper's order on its own tables. Only for
    promises about class size. About twice the greedy's time.
    """
    chosen = np.full(problem.weights.size, -1, np.int32)
    bounds = np.flatnonzero(np.diff(problem.mask.costs, prepend=-1.0))
    for first, stop in zip(bounds, [*bounds[1:], len(problem.mask)], strict=True):
        lines, idle = problem.lines[first:stop], problem.idle[first:stop]
        fits = coverage(problem.planes, lines, idle, problem.weights, floor, chosen)
        order = first + np.argsort(-fits, kind="stable").astype(np.int32)
        fresh = np.where(chosen < 0, -1, 0).astype(np.int32)
        sweep(problem.planes, problem.lines[order], problem.idle[order], problem.weights, floor, fresh)
        new = (chosen < 0) & (fresh >= 0)
        chosen[new] = order[fresh[new]]
    return Assignment(problem.table, problem.mask, chosen[problem.table.distinct.ids])
