"""The pattern that each row is published with, the rows that no pattern fits, and the resulting release."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from shoal.algorithms.patterns.mask import PatternMask
from shoal.core.arrays import Codes, Floats
from shoal.core.contracts import Goal
from shoal.core.goal_feasibility import impossible
from shoal.core.groups import Groups
from shoal.core.release import Release
from shoal.core.table import Table
from shoal.errors import GoalNotMet
from shoal.kernels.distinct import number_rows


@dataclass(frozen=True, eq=False)
class Assignment:
    """``chosen[row]`` is the row's pattern, −1 if it has none; ``bound``, if known, bounds every assignment's cost."""

    table: Table
    mask: PatternMask
    chosen: Codes
    bound: float | None = None

    def with_pattern(self, rows: Codes, pattern: int) -> Assignment:
        """The same assignment with another pattern for some rows."""
        chosen = self.chosen.copy()
        chosen[rows] = pattern
        return replace(self, chosen=chosen)

    @property
    def left(self) -> Codes:
        """The rows without a pattern."""
        return np.flatnonzero(self.chosen < 0).astype(np.int32)

    @property
    def cost(self) -> float:
        """What all rows pay together; rows without a pattern pay as if everything were starred."""
        counts = np.bincount(self.chosen[self.chosen >= 0], minlength=len(self.mask))
        return float(counts @ self.mask.costs + self.left.size * self.mask.full)

    @cached_property
    def classes(self) -> Groups:
        """Rows with a pattern, grouped by equal cells. O(rows · columns)."""
        rows = np.flatnonzero(self.chosen >= 0).astype(np.int32)
        ids, firsts = number_rows(self._nodes(rows))
        by_place = Groups.from_ids(ids, firsts.size)
        return Groups(by_place.offsets, rows[by_place.members])

    @property
    def class_costs(self) -> Floats:
        """What one row of each class pays."""
        costs: Floats = self.mask.costs[self.chosen[self.classes.members[self.classes.offsets[:-1]]]]
        return costs

    def release(self) -> Release:
        """The records of the rows with a pattern; the others are suppressed. O(rows · columns)."""
        groups = self.classes
        nodes = self._nodes(groups.members[groups.offsets[:-1]])
        cells = tuple(ladder.cells(column) for ladder, column in zip(self.mask.ladders, nodes, strict=True))
        shapes = np.repeat(np.arange(len(groups), dtype=np.int32), groups.sizes)
        return Release(self.table, groups.members, shapes, cells)

    def _nodes(self, rows: Codes) -> Codes:
        """``[column, place]``: the number of the cell of each of these rows."""
        levels = self.mask.levels[self.chosen[rows]]
        columns = zip(self.mask.ladders, self.table.codes, levels.T, strict=True)
        return np.array([ladder.nodes[level, codes[rows]] for ladder, codes, level in columns], np.int32)


def settle(assignment: Assignment, goal: Goal) -> Assignment:
    """An assignment whose release keeps every promise: rows that no pattern fits are handled.

    The paper stars them, however few they are. If published, they would be a class of fewer than k records, so here
    they are suppressed if the suppression limit allows it, and otherwise starred together with as many further rows as
    it takes for that class to keep every promise.

    Raises:
        GoalNotMet: rows are left, and neither leaving them out nor the all-star pattern is allowed, or not enough.
    """
    table, left, star = assignment.table, assignment.left, assignment.mask.star
    if left.size and star >= 0 and _keeps(table, goal, np.concatenate([left, _starred(assignment)])):
        return assignment.with_pattern(left, star)
    if left.size <= goal.most_suppressed(table.n_rows):
        return assignment
    if star < 0:
        raise GoalNotMet(
            f"{_counted(left.size)} found no pattern that keeps every promise: {named(table, left)}; let outliers be "
            "starred, allow more patterns, or try the algorithm 'patterns-exact'."
        )
    plans = [plan for plan in (_spared(assignment, goal), _dissolved(assignment, goal)) if plan is not None]
    if not plans:
        raise impossible(goal, len(table.sensitive))
    return min((assignment.with_pattern(rows, star) for rows in plans), key=lambda plan: plan.cost)


def _starred(assignment: Assignment) -> Codes:
    """The rows that have the all-star pattern."""
    return np.flatnonzero(assignment.chosen == assignment.mask.star).astype(np.int32)


def _spared(assignment: Assignment, goal: Goal) -> Codes | None:
    """The rows left, plus rows that their classes can spare, from the most expensive classes first."""
    groups, rows = assignment.classes, [assignment.left]
    missing = goal.floor - rows[0].size
    for g in _dearest(assignment):
        spare = int(min(groups.sizes[g] - goal.floor, missing))
        if spare > 0 and _keeps(assignment.table, goal, groups.of(g)[spare:]):
            rows.append(groups.of(g)[:spare])
            missing -= spare
        if missing <= 0:
            break
    starred = np.concatenate(rows)
    return starred if _keeps(assignment.table, goal, starred) else None


def _dissolved(assignment: Assignment, goal: Goal) -> Codes | None:
    """The rows left, plus whole classes, the most expensive first, until together they keep every promise.

    Because promises may need many classes, their number is doubled with each attempt.
    """
    order, n_classes = _dearest(assignment), 0
    while True:
        starred = np.concatenate([assignment.left, *(assignment.classes.of(g) for g in order[:n_classes])])
        if starred.size >= goal.floor and _keeps(assignment.table, goal, starred):
            return starred
        if n_classes >= len(order):
            return None
        n_classes = max(1, 2 * n_classes)


def _dearest(assignment: Assignment) -> Sequence[int]:
    """Classes by what starring one of their rows would add, least first, then by size."""
    order: list[int] = np.lexsort([assignment.classes.sizes, -assignment.class_costs]).tolist()
    return order


def _keeps(table: Table, goal: Goal, rows: Codes) -> bool:
    return bool(goal.accepts(table, Groups(np.array([0, rows.size], np.int64), rows))[0])


def named(table: Table, rows: Codes, most: int = 3) -> str:
    """Some rows by number (from 1) and values, and how many more there are."""
    shown = []
    for row in rows[:most].tolist():
        values = [column.domain.texts[codes[row]] for column, codes in zip(table.quasi, table.codes, strict=True)]
        shown.append(f"row {row + 1} ({', '.join(values[:6])}{', …' if len(values) > 6 else ''})")
    return ", ".join(shown) + (f" and {rows.size - most:,} more" if rows.size > most else "")


def _counted(n: int) -> str:
    return f"{n:,} row{'' if n == 1 else 's'}"
