"""Hilbert: order the rows along a space-filling curve and cut the order where it costs least."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from shoal.core.arrays import Codes
from shoal.core.contracts import Algorithm, CellMetric, Goal, GroupModel
from shoal.core.groups import Groups
from shoal.core.progress import Progress
from shoal.core.randomness import Randomness
from shoal.core.release import Release
from shoal.core.table import Table
from shoal.core.tariff import tariff_of
from shoal.errors import GoalNotMet, InputError
from shoal.kernels.hilbert import curve_positions
from shoal.kernels.runs import cheapest_runs


@dataclass(frozen=True)
class Hilbert(Algorithm):
    """Rows in Hilbert order, cut by the dynamic program that is optimal for one dimension.

    Rows that are close on the curve are close in all columns. With ranges this is the HR of Wong et al., with sets
    their HS; hierarchies work as well. Cuts minimise the goal's metric, with runs of k to 2k − 1 rows. Where promises
    beyond a size are asked for, runs that break one are joined with a neighbour until none does.

    Differs from the paper: the curve runs over dense ranks stretched to a common depth, and HS also cuts by the cost
    of sets, where the paper cuts by ranges and only prints sets. O(n log n + n · k · columns) time, O(n · columns)
    memory.

    Reference: Ghinita et al. 2007; Wong et al. 2010 (section 7).
    """

    name: ClassVar[str] = "hilbert"
    summary: ClassVar[str] = "order rows along a Hilbert curve and cut it where it costs least (fast)"
    serves = (GroupModel,)
    asks_about_cells: ClassVar[bool] = True

    def refuse(self, table: Table, goal: Goal) -> None:
        """Refuse metrics that are not made of the prices of cells."""
        super().refuse(table, goal)
        if not isinstance(goal.metric, CellMetric):
            raise InputError(f"The algorithm 'hilbert' needs a metric of cells such as lm, not {goal.metric.name!r}.")

    def run(self, table: Table, goal: Goal, randomness: Randomness, progress: Progress) -> Release:
        """Order, cut, and give each run its smallest permitted cells."""
        if not goal.accepts(table, Groups.whole(table.n_rows)).all():
            raise GoalNotMet("Even with all rows in one class the promises do not hold together; ask for less.")
        progress.stage("ordering")
        order = hilbert_order(table)
        progress.stage("cutting")
        return Release.from_groups(table, _join_failing(table, goal, cut(table, goal, order)))


def hilbert_order(table: Table) -> Codes:
    """The rows in the order of the curve; equal rows in the order of the table."""
    ranks, most = _stretched_ranks(table)
    words = curve_positions(ranks, max(1, int(most).bit_length()))
    return np.lexsort(words[::-1]).astype(np.int32)


def cut(table: Table, goal: Goal, order: Codes) -> Groups:
    """The cheapest runs of the goal's least size to one less than twice that."""
    assert isinstance(goal.metric, CellMetric)
    shortest = max(1, goal.floor)
    widest = max(column.domain.n_leaves for column in table.quasi)
    ordered = np.ascontiguousarray(table.codes[:, order])
    longest = 2 * shortest - 1
    starts = cheapest_runs(ordered, shortest, longest, tariff_of(table, goal.metric, longest), widest)
    return Groups(np.append(starts, table.n_rows), order)


def _stretched_ranks(table: Table) -> tuple[Codes, int]:
    """Dense ranks of the values that occur, stretched so that every column reaches as far as the widest."""
    counts = [int(column.domain.occurs.sum()) for column in table.quasi]
    most = max(1, max(counts) - 1)
    ranks = [
        ((np.cumsum(column.domain.occurs) - 1)[codes] * most // max(1, count - 1)).astype(np.int32)
        for column, codes, count in zip(table.quasi, table.codes, counts, strict=True)
    ]
    return np.array(ranks, np.int32), most


def _join_failing(table: Table, goal: Goal, groups: Groups) -> Groups:
    """Join runs that break a promise with a neighbour, again and again, until every run keeps all."""
    while not (fine := goal.accepts(table, groups)).all():
        joins = np.zeros(len(groups), bool)  # joins[g]: g goes together with g + 1
        for g in np.flatnonzero(~fine):
            before_is_taken = g > 0 and joins[g - 1]
            if not before_is_taken:
                joins[g if g + 1 < len(groups) else g - 1] = True
        kept = np.append(True, ~joins[:-1])
        groups = Groups(np.append(groups.offsets[:-1][kept], groups.offsets[-1]), groups.members)
    return groups
