"""Refinements: a partition in, a partition out that loses no more and keeps every promise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from shoal.algorithms.clustering.budget import Budget
from shoal.algorithms.clustering.coding import Coding
from shoal.algorithms.clustering.dividing import divided
from shoal.algorithms.clustering.mixing import ANY, mix_of
from shoal.algorithms.clustering.neighbourhoods import neighbourhoods
from shoal.algorithms.clustering.sequential import sequential
from shoal.algorithms.clustering.starting import settled
from shoal.core.arrays import Flags
from shoal.core.contracts import Goal
from shoal.core.groups import Groups
from shoal.core.progress import Progress
from shoal.core.randomness import Randomness
from shoal.core.release import Release
from shoal.core.table import Table
from shoal.errors import InputError, did_you_mean

Method = Literal["sequential", "neighbourhoods"]
METHODS: tuple[Method, ...] = ("sequential", "neighbourhoods")
"""Every refinement."""

_TURNS = 4


def refine(
    table: Table,
    goal: Goal,
    groups: Groups,
    randomness: Randomness,
    progress: Progress,
    *,
    seconds: float = 10.0,
    steps: int | None = None,
    methods: Sequence[Method] = ("neighbourhoods",),
    coding: Coding | None = None,
) -> Groups:
    """Groups of the same rows that lose no more by the goal's metric and keep every promise that these keep.

    Can follow any algorithm that makes groups; rows in no group stay suppressed, and within the goal's limit more
    are where that lowers the loss. ``"sequential"`` moves rows one by
    one, ``"neighbourhoods"`` takes a few clusters at a time apart. More time never gives a worse release: what does not
    lower the loss is not kept. With ``seconds`` the result depends on the machine; with ``steps`` (neighbourhoods
    tried) and a seed it is the same everywhere.

    Raises:
        InputError: a method that does not exist.
    """
    for method in methods:
        if method not in METHODS:
            raise InputError(f"There is no refinement {method!r}.{did_you_mean(method, METHODS)}")
    coding = coding or Coding.of(table, goal.metric)
    most_suppressed = int(goal.suppression_limit * table.n_rows)
    task = _Task(coding, goal, table, Budget(seconds, steps), randomness, progress, methods)
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
    methods: Sequence[Method]

    def refined(self, groups: Groups, most_suppressed: int) -> Groups:
        """Divide, then search; where rows may be suppressed, in turns with that, a part of them each time."""
        k = max(2, self.goal.floor, int(groups.sizes.min(initial=0)))
        groups = divided(self.coding, groups, k, self._accepts)
        if "sequential" in self.methods:
            groups = self._sequential(groups, k, 0)
        n_turns = _TURNS if most_suppressed > 0 else 1
        for turn in range(1, n_turns + 1):
            if "neighbourhoods" in self.methods:
                self.budget.part = turn / n_turns
                groups = self._neighbourhoods(groups, k)
            if most_suppressed > 0:
                groups = self._sequential(groups, k, most_suppressed * turn // n_turns)
        return groups

    def _accepts(self, groups: Groups) -> Flags:
        return self.goal.accepts(self.table, groups)

    def _sequential(self, groups: Groups, k: int, most_suppressed: int) -> Groups:
        return sequential(self.coding, groups, k, self._accepts, self.budget, self.randomness, most_suppressed)

    def _neighbourhoods(self, groups: Groups, k: int) -> Groups:
        mix = ANY if self.goal.is_about_size else mix_of(self.coding, groups)
        return neighbourhoods(self.coding, groups, k, self._accepts, mix, self.budget, self.randomness, self.progress)
