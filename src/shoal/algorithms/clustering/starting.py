"""The first partition, whatever the promises."""

from __future__ import annotations

from collections.abc import Callable

from shoal.algorithms.clustering.coding import Coding
from shoal.algorithms.clustering.merging import WEIGHT, merged
from shoal.core.contracts import Goal
from shoal.core.groups import Groups
from shoal.core.progress import Progress
from shoal.core.release import Release
from shoal.core.table import Table
from shoal.errors import GoalNotMet

_FEW, _SHARE = 32, 0.2


def require_possible(table: Table, goal: Goal) -> None:
    """Raise GoalNotMet where not even one group of all rows keeps the promises."""
    if not goal.accepts(table, Groups.whole(table.n_rows)).all():
        raise GoalNotMet(
            "Even with all rows in one class the promises do not hold together: "
            + ", ".join(str(promise) for promise in goal.promises)
            + "; ask for less."
        )


def partition(
    table: Table,
    goal: Goal,
    coding: Coding,
    of_size: Callable[[int], Groups],
    progress: Progress,
    weight: float = WEIGHT,
) -> Groups:
    """Groups that keep every promise: those that ``of_size`` makes of the least size, failing ones united with others.

    Where very many fail, groups of twice the size are made first, as often as that helps.
    """
    size = goal.floor
    groups = of_size(size)
    while not goal.is_about_size and 4 * size <= table.n_rows:
        n_failing = int((~goal.accepts(table, groups)).sum())
        if n_failing <= max(_FEW, _SHARE * len(groups)):
            break
        size *= 2
        groups = of_size(size)
    return settled(table, goal, coding, groups, progress, weight)


def settled(
    table: Table, goal: Goal, coding: Coding, groups: Groups, progress: Progress, weight: float = WEIGHT
) -> Groups:
    """The same groups, those with equal cells as one, and united further until the promises hold in each."""
    while True:
        groups = Release.from_groups(table, groups).classes
        if goal.accepts(table, groups).all():
            return groups
        groups = merged(table, goal, groups, coding, progress, weight)
