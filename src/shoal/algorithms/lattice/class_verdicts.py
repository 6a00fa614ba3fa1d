"""Check promises on classes, without passing rows to promises that do not need them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property

import numpy as np

from shoal.algorithms.lattice.class_cache import Classes
from shoal.algorithms.lattice.class_rollup import ClassRollup
from shoal.core.arrays import Codes, Flags, Floats, Offsets
from shoal.core.cells import Cells
from shoal.core.contracts import GroupModel
from shoal.core.groups import Groups
from shoal.core.node import level_cells
from shoal.core.table import Table
from shoal.models.sensitive import SensitiveModel


class Asking:
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
