"""The classes that result from a choice of cuts, and the release with these cells."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.algorithms.lattice.column_cuts import Items
from shoal.algorithms.lattice.k_optimize_costs import CellBounds
from shoal.core.arrays import Codes, Flags, Offsets
from shoal.core.groups import Groups
from shoal.core.release import Release
from shoal.core.table import Table
from shoal.kernels.distinct import number_rows


@dataclass(frozen=True, eq=False)
class CutClasses:
    """The classes of a set of items: the class of each distinct row, and the sizes."""

    cells: CellBounds
    ids: Codes
    sizes: Offsets


@dataclass(frozen=True, eq=False)
class Cutting:
    """Groups the distinct rows of a table by their cells."""

    table: Table
    items: Items

    def classes(self, chosen: Flags) -> CutClasses:
        """The classes with these items chosen. O(distinct rows · columns)."""
        cells, rows = self.items.cells(chosen), self.table.distinct.firsts
        lows = np.array([low[codes[rows]] for (low, _), codes in zip(cells, self.table.codes, strict=True)], np.int32)
        ids, firsts = number_rows(lows)
        sizes = np.bincount(ids, weights=self.table.distinct.weights, minlength=firsts.size).astype(np.int64)
        return CutClasses(cells, ids, sizes)

    def release(self, classes: CutClasses, kept: Flags) -> Release:
        """The records of the kept classes, with their cells. O(rows · columns)."""
        rows = classes.ids[self.table.distinct.ids]
        groups = Groups.from_ids(rows, kept.size)
        numbers = np.flatnonzero(kept)
        owners = groups.members[np.repeat(kept, groups.sizes)]
        shapes = np.repeat(np.arange(numbers.size, dtype=np.int32), groups.sizes[numbers])
        firsts = self.table.codes[:, groups.members[groups.offsets[:-1][numbers]]]
        cells = tuple(
            column.recoding.close(low[leaves], high[leaves])
            for column, (low, high), leaves in zip(self.table.quasi, classes.cells, firsts, strict=True)
        )
        return Release(self.table, owners, shapes, cells)


@dataclass(frozen=True, eq=False)
class Recoded:
    """The best recoding found.

    It costs ``score``, and no recoding costs less than ``lower_bound``; ``is_optimal`` if these are the same. Of the 2
    to the ``n_items`` sets, ``n_visited`` were examined.
    """

    release: Release
    score: float
    lower_bound: float
    is_optimal: bool
    n_items: int
    n_visited: int

    @property
    def gap(self) -> float:
        """How much less than ``score`` another recoding could cost at most."""
        return self.score - self.lower_bound
