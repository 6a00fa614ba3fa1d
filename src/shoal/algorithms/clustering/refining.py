"""Refinements: a partition in, a partition out that loses no more and keeps every promise."""

from __future__ import annotations

from collections.abc import Sequence
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

    Can follow any algorithm that makes groups; rows in no group stay suppressed. ``"sequential"`` moves rows one by
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
    budget = Budget(seconds, steps)
    k = max(2, goal.floor, int(groups.sizes.min(initial=0)))

    def accepts(some: Groups) -> Flags:
        return goal.accepts(table, some)

    better = divided(coding, groups, k, accepts)
    if "sequential" in methods:
        better = sequential(coding, better, k, accepts, budget, randomness)
    if "neighbourhoods" in methods:
        mix = ANY if goal.is_about_size else mix_of(coding, better)
        better = neighbourhoods(coding, better, k, accepts, mix, budget, randomness, progress)
    better = settled(table, goal, coding, better, progress)
    scores = [goal.metric.score(Release.from_groups(table, some)) for some in (groups, better)]
    return better if scores[1] <= scores[0] else groups
