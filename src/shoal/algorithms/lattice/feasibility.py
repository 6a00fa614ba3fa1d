"""Which classes of a node keep every promise, and what that implies for other nodes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from shoal.algorithms.lattice.class_rollup import Classes, ClassRollup
from shoal.algorithms.lattice.space import Levels
from shoal.core.arrays import Codes, Flags, Floats, Offsets
from shoal.core.cells import Cells
from shoal.core.class_suppression import settled
from shoal.core.contracts import Goal, GroupModel
from shoal.core.groups import Groups
from shoal.core.node import Node, level_cells
from shoal.core.table import Table
from shoal.kernels.rollup import Limits
from shoal.models.sensitive import SensitiveModel


@dataclass(frozen=True, eq=False)
class Judgement:
    """The verdict on a node.

    ``kept[c]`` says whether class ``c`` keeps every promise; the others are suppressed, ``n_suppressed`` rows in total.
    ``hopeless[c]`` says that no part of the class keeps them either, so that its rows are also suppressed at every node
    below; ``n_doomed`` is the least number of rows suppressed at any node below, including these. With ``in_a_hurry``,
    judging stops if these alone are too many: then the classes that are not hopeless count as kept, if classes were
    computed at all.
    """

    levels: Levels
    classes: Classes
    kept: Flags
    hopeless: Flags
    n_suppressed: int
    n_doomed: int
    is_feasible: bool


class Judge:
    """Judges nodes by a goal.

    What a verdict on one node proves about others depends on the promises; nothing else is assumed:

    * *Growing* promises (k-anonymity, distinct l-diversity): if a class keeps the promise, every class that contains
      it does too. So a class that fails consists of parts that fail: its rows are suppressed at every node below. The
      least class size that the promises allow (``Goal.floor``) is such a promise, whatever the promises are.
    * Promises that *foresee* (``SensitiveModel.doomed``; those that measure a convex distance can): of a class that
      fails, a certain share is in failing parts however it is cut, and so suppressed at every node below.
    * *Monotone* promises (entropy and recursive l-diversity, t-closeness, …): a union of classes that keep the promise
      keeps it. So if no row may be suppressed, a node that fails has only failing nodes below it. With suppression
      nothing else follows: a class that fails may absorb one that keeps the promise on the way up.
    * Promises about *all classes together* (``ReleaseModel``) declare whether nodes above a feasible one are feasible.
    * Nothing is concluded about promises with none of these properties.
    """

    def __init__(self, table: Table, goal: Goal, grouping: ClassRollup | None = None) -> None:
        self.table, self.goal, self.grouping = table, goal, grouping or ClassRollup(table)
        self.max_suppressed = min(goal.most_suppressed(table.n_rows), max(0, table.n_rows - 1))
        self._floor = max((model.floor for model in goal.class_models), default=1)
        self._asking = asking = _Asking(table, self.grouping)
        models = [model for model in goal.class_models if not model.is_about_size]
        self._limits = Limits(
            _most_classes(table.n_rows, self._floor, self.max_suppressed), self._floor, self.max_suppressed
        )
        self._looks_at_rows = any(model.needs_rows for model in goal.release_models)
        self._growing = tuple(model for model in models if asking.is_growing(model))
        self._others = tuple(model for model in models if not asking.is_growing(model))

    @property
    def is_upward(self) -> bool:
        """Whether every node above a feasible node is feasible."""
        suppressing = self.max_suppressed > 0
        if not all(model.is_upward(suppressing=suppressing) for model in self.goal.release_models):
            return False
        return not self._others if suppressing else all(model.is_monotone for model in self._others)

    def __call__(self, levels: Levels, *, in_a_hurry: bool = False) -> Judgement:
        """Judge a node. O(classes it is rolled up from), plus O(rows) for promises that need the rows."""
        classes = self.grouping.within(levels, self._limits) if in_a_hurry else self.grouping.at(levels)
        if classes is None:
            return _hopeless(levels, self.table.n_quasi, self.max_suppressed + 1)
        sizes, hopeless = classes.sizes, classes.sizes < self._floor
        if self._growing:
            hopeless |= ~self._asking.accept(self._growing, classes, ~hopeless)
        n_doomed = int(sizes[hopeless].sum())
        if self._others and n_doomed <= self.max_suppressed:
            doomed = np.where(hopeless, sizes, self._asking.doomed(self._others, classes))
            hopeless, n_doomed = doomed >= sizes, int(doomed.sum())
        if not self._others:
            return self._verdict(classes, ~hopeless, hopeless, n_doomed)
        if in_a_hurry and n_doomed > self.max_suppressed:
            return Judgement(levels, classes, ~hopeless, hopeless, n_doomed, n_doomed, False)
        return self._verdict(classes, self._asking.accept(self._others, classes, ~hopeless), hopeless, n_doomed)

    def _verdict(self, classes: Classes, kept: Flags, hopeless: Flags, n_doomed: int) -> Judgement:
        kept = kept & ~hopeless
        if self.goal.release_models:
            kept = settled(self._node(classes, kept, with_rows=self._looks_at_rows), self.goal).kept
        n_suppressed = int(classes.sizes[~kept].sum())
        is_feasible = n_suppressed <= self.max_suppressed
        return Judgement(classes.levels, classes, kept, hopeless, n_suppressed, n_doomed, is_feasible)

    def rules_out_below(self, verdict: Judgement) -> bool:
        """Whether the verdict proves every node below infeasible."""
        return verdict.n_doomed > self.max_suppressed or (not verdict.is_feasible and self.is_upward)

    def node(self, verdict: Judgement, *, with_rows: bool = False) -> Node:
        """The node in the form that metrics take; ``with_rows`` includes the class of each row."""
        return self._node(verdict.classes, verdict.kept, with_rows=with_rows)

    def _node(self, classes: Classes, kept: Flags, *, with_rows: bool = False) -> Node:
        return Node(
            self.table,
            classes.levels,
            classes.sizes,
            kept,
            self.grouping.class_codes(classes),
            int(classes.sizes[~kept].sum()),
            self.grouping.row_ids(classes) if with_rows else None,
        )

    def failing_rows(self, levels: Levels) -> dict[str, int]:
        """For each promise by name, the number of rows in classes that do not keep it."""
        classes = self.grouping.at(levels)
        everything = np.ones(len(classes), bool)
        found = {
            str(model): int(classes.sizes[~self._asking.accept((model,), classes, everything)].sum())
            for model in self.goal.class_models
        }
        for model in self.goal.release_models:
            alone = replace(self.goal, promises=(model,))
            found[str(model)] = settled(self._node(classes, everything, with_rows=model.needs_rows), alone).n_suppressed
        return found


def _most_classes(n_rows: int, floor: int, max_suppressed: int) -> int:
    """With more classes than this, too many rows are in classes below the floor f.

    Of C classes, at most (n − C) / (f − 1) can have f rows or more, because the others have at least one; so at least
    (f · C − n) / (f − 1) rows are in classes of fewer than f.
    """
    return (n_rows + (floor - 1) * max_suppressed) // floor if floor > 1 else n_rows


def _hopeless(levels: Levels, n_columns: int, n_doomed: int) -> Judgement:
    """A node for which it is only known that too many rows are suppressed there and below."""
    none = np.empty(0, np.int32)
    classes = Classes(levels, np.empty((n_columns, 0), np.uint64), np.empty(0, np.int64), none, none)
    flags = np.empty(0, bool)
    return Judgement(levels, classes, flags, flags, n_doomed, n_doomed, False)


class _Asking:
    """Checks promises in the cheapest sufficient way: by tallies of sensitive values, by cells, by sizes or by rows."""

    def __init__(self, table: Table, grouping: ClassRollup) -> None:
        self.table, self.grouping = table, grouping

    def accept(self, models: Sequence[GroupModel], classes: Classes, which: Flags) -> Flags:
        """Which of the classes ``which`` keep all promises; the result is undefined for the others."""
        fine = np.ones(len(classes), bool)
        groups: Groups | None = None
        for model in models:
            if isinstance(model, SensitiveModel) and self._takes_tallies(model):
                fine &= self._measure(model, classes) >= model.threshold
            elif model.judges_cells:
                fine[which] &= model.measure_cells(self.table, self._cells(classes, which)) >= model.threshold
            else:
                groups = self._groups(classes, which) if groups is None else groups
                fine[which] &= model.accepts(self.table, groups)
        return fine

    def _cells(self, classes: Classes, which: Flags) -> list[Cells]:
        """The cells of the classes ``which`` in each column, as they would be published."""
        found = []
        for column, codes, level in zip(
            self.table.quasi, self.grouping.class_codes(classes), classes.levels, strict=True
        ):
            nested, leaves = column.recoding.nested, codes[which]
            found.append(level_cells(column, nested.low[level, leaves], nested.high[level, leaves], level))
        return found

    def doomed(self, models: Sequence[GroupModel], classes: Classes) -> Floats:
        """For each class, a lower bound on the rows in failing parts, however it is cut, if a model can foresee it."""
        most = np.zeros(len(classes))
        for model in models:
            if isinstance(model, SensitiveModel) and self._sees_whole(model):
                for column in model.columns(self.table):
                    np.maximum(most, model.doomed(column, self.grouping.tallies(classes, column)), out=most)
        return most

    def is_growing(self, model: GroupModel) -> bool:
        """Whether every group that contains a group that keeps the promise keeps it too, according to the model."""
        return model.is_growing and not (isinstance(model, SensitiveModel) and not self._sees_whole(model))

    def _takes_tallies(self, model: SensitiveModel) -> bool:
        """Whether the model judges each group by how often each value of one sensitive column occurs in it."""
        return model.judges_tallies and self._sees_whole(model)

    def _sees_whole(self, model: SensitiveModel) -> bool:
        """Whether the model judges groups as they are, not their parts that agree on other sensitive columns."""
        return len(self.table.sensitive) < 2 or model.others == "ignore"

    def _measure(self, model: SensitiveModel, classes: Classes) -> Floats:
        """The result of ``model.measure``, from tallies that were rolled up with the classes."""
        measures = [model.judge(c, self.grouping.tallies(classes, c)) for c in model.columns(self.table)]
        worst: Floats = np.minimum(np.min(measures, axis=0), model.judge_sizes(classes.sizes))
        return worst

    def _groups(self, classes: Classes, which: Flags) -> Groups:
        """The rows of the classes ``which``; if people are counted, the actual rows, which may represent more."""
        if self.table.people is None:
            return _ClassGroups(classes.sizes[which], lambda: self._rows(classes, which).members)
        return self._rows(classes, which)

    def _rows(self, classes: Classes, which: Flags) -> Groups:
        """The rows of the classes ``which``, class after class. O(rows)."""
        groups = Groups.from_ids(self.grouping.row_ids(classes), len(classes))
        offsets = np.concatenate([[0], np.cumsum(groups.sizes[which])]).astype(np.int64)
        return Groups(offsets, groups.members[np.repeat(which, groups.sizes)])


class _ClassGroups(Groups):
    """Groups whose members are only computed for promises that need more than sizes."""

    _find: Callable[[], Codes]

    def __init__(self, sizes: Offsets, find: Callable[[], Codes]) -> None:
        object.__setattr__(self, "offsets", np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64))
        object.__setattr__(self, "_find", find)

    @cached_property
    def members(self) -> Codes:
        """The rows of all groups."""
        return self._find()
