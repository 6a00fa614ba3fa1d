"""Refinements: a partition in, a partition out that loses no more and keeps every promise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from shoal.algorithms.clustering.budget import Budget
from shoal.algorithms.clustering.coding import Coding
from shoal.algorithms.clustering.dividing import divided
from shoal.algorithms.clustering.mixing import ANY, mix_of
from shoal.algorithms.clustering.neighbourhoods import neighbourhoods
from shoal.algorithms.clustering.refinements import Refinement, Search, Sequential
from shoal.algorithms.clustering.sequential import sequential
from shoal.algorithms.clustering.starting import settled
from shoal.core.arrays import Flags
from shoal.core.contracts import Goal
from shoal.core.groups import Groups
from shoal.core.progress import Progress
from shoal.core.randomness import Randomness
from shoal.core.release import Release
from shoal.core.table import Table

_TURNS = 4


def refine(
    table: Table,
    goal: Goal,
    groups: Groups,
    randomness: Randomness,
    progress: Progress,
    *,
    seconds: float = 10.0,
    methods: Sequence[Refinement] = (Search(),),
    coding: Coding | None = None,
) -> Groups:
    """Groups of the same rows that lose no more by the goal's metric and keep every promise that these keep.

    Can follow any algorithm that makes groups; rows in no group stay suppressed, and within the goal's limit more are
    where that lowers the loss. Rows move one by one before groups are searched, whichever is named first. What does
    not lower the loss is not kept, so more time never gives a worse release. The result depends on how fast the
    machine is, unless the search counts steps.
    """
    coding = coding or Coding.of(table, goal.metric)
    most_suppressed = int(goal.suppression_limit * table.n_rows)
    search = next((method for method in methods if isinstance(method, Search)), None)
    is_sequential = any(isinstance(method, Sequential) for method in methods)
    budget = Budget(seconds, (search.steps if search else 0) or None)
    task = _Task(coding, goal, table, budget, randomness, progress, search is not None, is_sequential)
    better = task.refined(groups, most_suppressed)
    better = settled(table, goal, coding, better, progress)
    scores = [goal.metric.score(Release.from_groups(table, some)) for some in (groups, better)]
    return better if scores[1] <= scores[0] else groups


@dataclass(frozen=True, eq=False)
class _Task:
    """All that the methods have in common."""

    coding: Coding
    goal: Goal
    table: Table
    budget: Budget
    randomness: Randomness
    progress: Progress
    searches: bool
    moves: bool

    def refined(self, groups: Groups, most_suppressed: int) -> Groups:
        """Divide, then search; where rows may be suppressed, in turns with that, a part of them each time."""
        k = self._least_size(groups)
        if self.searches or self.moves:
            groups = divided(self.coding, groups, k, self._accepts)
        if self.moves:
            groups = self._sequential(groups, k, 0)
        n_turns = _TURNS if most_suppressed > 0 else 1
        for turn in range(1, n_turns + 1):
            if self.searches:
                self.budget.part = turn / n_turns
                groups = self._neighbourhoods(groups, k)
            if most_suppressed > 0:
                groups = self._sequential(groups, k, most_suppressed * turn // n_turns)
        return groups

    def _least_size(self, groups: Groups) -> int:
        """How many rows a group needs; where promises go beyond that, as many as the smallest has so far."""
        known = 0 if self.goal.is_about_size else int(groups.sizes.min(initial=0))
        return max(2, self.goal.floor, known)

    def _accepts(self, groups: Groups) -> Flags:
        return self.goal.accepts(self.table, groups)

    def _sequential(self, groups: Groups, k: int, most_suppressed: int) -> Groups:
        return sequential(self.coding, groups, k, self._accepts, self.budget, self.randomness, most_suppressed)

    def _neighbourhoods(self, groups: Groups, k: int) -> Groups:
        mix = ANY if self.goal.is_about_size else mix_of(self.coding, groups)
        return neighbourhoods(self.coding, groups, k, self._accepts, mix, self.budget, self.randomness, self.progress)
