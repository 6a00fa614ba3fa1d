"""Refinement: turn a partition into one that loses no more and keeps every promise."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from shoal.algorithms.clustering.budget import Budget
from shoal.algorithms.clustering.coded_rows import Coding
from shoal.algorithms.clustering.improvement_rounds import LEAF
from shoal.algorithms.clustering.initial_partition import settled
from shoal.algorithms.clustering.neighbourhoods import ANY, mix_of, neighbourhoods
from shoal.algorithms.clustering.refinements import Refinement, Search, Sequential
from shoal.algorithms.clustering.sequential import MOST_PASSES, divided, sequential
from shoal.core.arrays import Flags
from shoal.core.contracts import Goal
from shoal.core.groups import Groups
from shoal.core.progress import Progress
from shoal.core.randomness import Randomness
from shoal.core.release import Release
from shoal.core.table import Table
from shoal.kernels.clustering_pool import Mix

_TURNS, _LEFT = 4, 0.1
"""In how many turns rows to suppress are chosen, and the share of a turn that the search leaves for that."""

_SECONDS = 10.0
"""The time limit of a search if none is given."""

_WORK = 8e9
"""How many joins all passes together may price if no time limit is given: some ten seconds of one processor."""


def refine(
    table: Table,
    goal: Goal,
    groups: Groups,
    randomness: Randomness,
    progress: Progress,
    *,
    seconds: float | None = None,
    methods: Sequence[Refinement] = (Search(),),
    coding: Coding | None = None,
) -> Groups:
    """Groups of the same rows that lose no more by the goal's metric and keep every promise that the given groups keep.

    Can follow any algorithm that makes groups. Rows in no group stay suppressed, and within the goal's limit further
    rows are suppressed if that lowers the loss. Rows move one by one before groups are searched, in whichever order the
    methods are named. Changes that do not lower the loss are not kept, so more time never gives a worse release.

    Without ``seconds``, or if the search counts steps, rows move in as many passes as the size of the table allows,
    regardless of time, and a search that does not count steps takes ten seconds. With a search by time, or with
    ``seconds``, the result depends on the speed of the machine.
    """
    better = searched(table, goal, groups, randomness, progress, seconds=seconds, methods=methods, coding=coding)
    scores = [goal.metric.score(Release.from_groups(table, some)) for some in (groups, better)]
    return better if scores[1] <= scores[0] else groups


def searched(
    table: Table,
    goal: Goal,
    groups: Groups,
    randomness: Randomness,
    progress: Progress,
    *,
    seconds: float | None = None,
    methods: Sequence[Refinement] = (Search(),),
    coding: Coding | None = None,
) -> Groups:
    """What ``refine`` finds, before it is compared with the given groups.

    It loses no more if prices are exact: for a mean over cells, unless a column has sets of more than 248 values.
    """
    coding = coding or Coding.of(table, goal.metric)
    most_suppressed = goal.most_suppressed(table.n_rows)
    search = next((method for method in methods if isinstance(method, Search)), None)
    is_sequential = any(isinstance(method, Sequential) for method in methods)
    steps, least_gain = (search.steps, search.least_gain) if search else (0, 0.0)
    budget = Budget(_SECONDS if seconds is None else seconds, steps or None, least_gain=least_gain)
    patience = Budget(math.inf) if seconds is None or budget.steps else budget
    task = _Task(coding, goal, table, budget, patience, randomness, progress, search is not None, is_sequential)
    better = task.refined(groups, most_suppressed)
    return settled(table, goal, coding, better, progress)


@dataclass(frozen=True, eq=False)
class _Task:
    """What all methods share."""

    coding: Coding
    goal: Goal
    table: Table
    budget: Budget
    patience: Budget
    randomness: Randomness
    progress: Progress
    searches: bool
    moves: bool

    def refined(self, groups: Groups, most_suppressed: int) -> Groups:
        """Split groups, then search; if rows may be suppressed, choose part of them after each turn of the search."""
        k = self._least_size(groups)
        if self.searches or self.moves:
            groups = divided(self.coding, groups, k, self._accepts)
        n_turns = self._turns(groups) if most_suppressed > 0 else 1
        n_passes = self._passes(groups) // n_turns
        if self.moves:
            groups = self._sequential(groups, k, 0, n_passes)
        for turn in range(1, n_turns + 1):
            if self.searches:
                self.budget.part = (turn - _LEFT * (most_suppressed > 0)) / n_turns
                groups = self._neighbourhoods(groups, k)
            if most_suppressed > 0:
                groups = self._sequential(groups, k, most_suppressed * turn // n_turns, n_passes)
        return groups

    def _turns(self, groups: Groups) -> int:
        """In how many turns the rows to suppress are chosen; fewer if the table is too large for so many passes."""
        return _TURNS if self.searches else min(_TURNS, self._passes(groups))

    def _passes(self, groups: Groups) -> int:
        """The maximum number of passes over all rows; with a time limit, as many as fit into it."""
        if self.patience is self.budget:
            return _TURNS * MOST_PASSES
        work = self.coding.n_rows * min(LEAF, len(groups)) * self.coding.cells.shape[0]
        return max(_TURNS if self.searches else 1, min(_TURNS * MOST_PASSES, int(_WORK / max(1, work))))

    def _least_size(self, groups: Groups) -> int:
        """The least size of a group; if promises go beyond size, that of the smallest group so far."""
        known = 0 if self.goal.is_about_size else int(groups.sizes.min(initial=0))
        return max(2, self.goal.floor, known)

    def _accepts(self, groups: Groups) -> Flags:
        return self.goal.accepts(self.table, groups)

    def _sequential(self, groups: Groups, k: int, most_suppressed: int, most_passes: int) -> Groups:
        return sequential(
            self.coding, groups, k, self._accepts, self.patience, self.randomness, most_suppressed, most_passes
        )

    def _neighbourhoods(self, groups: Groups, k: int) -> Groups:
        coding, mix = self.coding, ANY
        if self.goal.is_about_people and self.table.people is not None:
            coding, mix = replace(coding, colours=self.table.people.astype(np.int64)), Mix(self.goal.floor, 1.0)
        elif not self.goal.is_about_size:
            mix = mix_of(coding, groups)
        return neighbourhoods(coding, groups, k, self._accepts, mix, self.budget, self.randomness, self.progress)
