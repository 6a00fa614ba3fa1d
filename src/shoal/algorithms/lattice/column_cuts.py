"""The ways to cut columns, one item at a time, from a single cell down to single values, and the classes they make."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from shoal.algorithms.lattice.k_optimize_costs import CellBounds
from shoal.core.arrays import Codes, Flags, Offsets
from shoal.core.groups import Groups
from shoal.core.release import Release
from shoal.core.table import QuasiColumn, Table
from shoal.kernels.distinct import number_rows


class Beginnings:
    """Item ``i``: a cell begins at leaf ``leaves[i]``. The paper's indexes.

    The missing value shares no interval with others: until its own item, the last, is chosen, there is only one cell.
    """

    def __init__(self, column: QuasiColumn) -> None:
        occurring = np.flatnonzero(column.domain.occurs)
        self.leaves = occurring[1:]
        self._n_leaves = column.domain.n_leaves
        missing = column.domain.missing
        self._needs_last = missing is not None and self.leaves.size > 0 and int(self.leaves[-1]) == missing
        self.n_items = int(self.leaves.size)

    def cells(self, chosen: Flags) -> tuple[Codes, Codes]:
        """Cells from each beginning to the leaf before the next."""
        begins = self.leaves[chosen] if not self._needs_last or chosen[-1] else self.leaves[:0]
        firsts = np.concatenate([[0], begins]).astype(np.int32)
        lengths = np.diff(firsts, append=self._n_leaves)
        return np.repeat(firsts, lengths), np.repeat(firsts + lengths - 1, lengths).astype(np.int32)


class Expansions:
    """Item ``i``: a node of the hierarchy is replaced by its children, once it is a cell itself."""

    def __init__(self, column: QuasiColumn) -> None:
        nested = column.recoding.nested
        self._low, self._high = nested.low, nested.high
        self._items = np.full(nested.low.shape, -1, np.int64)
        numbers: dict[tuple[int, int], int] = {}
        for level in range(nested.n_levels - 1, 0, -1):
            is_inner = (nested.low[level] != nested.low[level - 1]) | (nested.high[level] != nested.high[level - 1])
            for leaf in np.flatnonzero(is_inner).tolist():
                node = (int(nested.low[level, leaf]), int(nested.high[level, leaf]))
                self._items[level, leaf] = numbers.setdefault(node, len(numbers))
        self.n_items = len(numbers)

    def cells(self, chosen: Flags) -> tuple[Codes, Codes]:
        """For each leaf, the highest node above it that is not replaced."""
        low, high = self._low[-1].copy(), self._high[-1].copy()
        goes_down = np.ones(low.size, bool)
        padded = np.append(chosen, True)
        for level in range(self._low.shape[0] - 1, 0, -1):
            goes_down &= padded[self._items[level]]
            low = np.where(goes_down, self._low[level - 1], low)
            high = np.where(goes_down, self._high[level - 1], high)
        return low, high


@dataclass(frozen=True, eq=False)
class CutClasses:
    """The classes of a set of items: the class of each distinct row, and the sizes."""

    cells: CellBounds
    ids: Codes
    sizes: Offsets


Refining = Beginnings | Expansions
"""The items of one column. Choosing more of them never joins separate cells."""


@dataclass(frozen=True, eq=False)
class Items:
    """The items of all columns, concatenated: those of column ``c`` from ``starts[c]`` to ``starts[c + 1] − 1``."""

    table: Table
    columns: Sequence[Refining]
    starts: Codes

    @classmethod
    def of(cls, table: Table) -> Items:
        """The items of a table's quasi-identifiers: nodes if cells are nodes, else where an interval may begin."""
        columns = [
            Expansions(column) if column.recoding.closes_to_nodes else Beginnings(column) for column in table.quasi
        ]
        return cls(table, columns, np.cumsum([0, *(column.n_items for column in columns)]).astype(np.int32))

    def __len__(self) -> int:
        return int(self.starts[-1])

    def cells(self, chosen: Flags) -> list[tuple[Codes, Codes]]:
        """For each column, the first and last leaf of the cell of each leaf."""
        return [self._cells(c, chosen) for c in range(len(self.columns))]

    def parts(self, chosen: Flags, item: int) -> tuple[int, Codes, Codes]:
        """The column of an item, and the cells into which it cuts its cell; none if it has no effect yet."""
        column = int(np.searchsorted(self.starts, item, side="right")) - 1
        more = chosen.copy()
        more[item] = True
        (low, high), (new_low, new_high) = self._cells(column, chosen), self._cells(column, more)
        changed = np.flatnonzero((low != new_low) | (high != new_high))
        firsts = changed[new_low[changed] == changed]
        return column, new_low[firsts], new_high[firsts]

    def _cells(self, column: int, chosen: Flags) -> tuple[Codes, Codes]:
        return self.columns[column].cells(chosen[self.starts[column] : self.starts[column + 1]])

    def classes(self, chosen: Flags) -> CutClasses:
        """The classes with these items chosen. O(distinct rows · columns)."""
        cells, rows = self.cells(chosen), self.table.distinct.firsts
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
