"""The pattern that each row is published with, and the resulting release."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from shoal.algorithms.patterns.mask import PatternMask
from shoal.core.arrays import Codes, Floats
from shoal.core.groups import Groups
from shoal.core.release import Release
from shoal.core.table import Table
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
