"""A node of the generalization lattice: one level per column, its classes, and which of them are published.

Searches build nodes and metrics score them; neither needs a Release for that.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

import numpy as np

from shoal.core.arrays import Codes, Flags, Offsets
from shoal.core.cells import Cells
from shoal.core.groups import Groups
from shoal.core.release import Release
from shoal.core.table import QuasiColumn, Table
from shoal.kernels.distinct import number_rows

T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class Node:
    """One level of ``recoding.nested`` per column, and the equivalence classes of all rows at these levels.

    Class ``c`` has ``sizes[c]`` rows and is published if ``kept[c]``; the rows of the others are suppressed.
    ``class_codes[j, c]`` is a leaf of column ``j`` below the class's node: any one, such as the code of any of its
    rows. ``ids``, if the search provides it, is the class of each row; only metrics that use more than the
    quasi-identifiers need it (``Metric.needs_rows``).
    """

    table: Table
    levels: tuple[int, ...]
    sizes: Offsets
    kept: Flags
    class_codes: Codes
    n_suppressed: int
    ids: Codes | None = None

    @classmethod
    def of(cls, table: Table, levels: Sequence[int], accepts: Callable[[Groups], Flags] | None = None) -> Node:
        """Group the rows from scratch, and keep the classes that ``accepts`` allows, else all. O(rows · columns)."""
        ids, firsts = number_rows(generalized(table, levels))
        sizes = np.bincount(ids, minlength=firsts.size).astype(np.int64)
        kept = np.ones(firsts.size, bool) if accepts is None else accepts(Groups.from_ids(ids, firsts.size))
        return cls(table, tuple(levels), sizes, kept, table.codes[:, firsts], int(sizes[~kept].sum()), ids)

    @classmethod
    def of_release(cls, release: Release) -> Node | None:
        """The node that a release was published at; None if its columns do not have one level each.

        The suppressed rows are put into the classes they would have been in. O(rows · columns).
        """
        levels = levels_of(release)
        if levels is None:
            return None
        node = cls.of(release.table, levels)
        kept = np.zeros(node.sizes.size, bool)
        kept[node.row_classes[release.owners]] = True
        suppressed = np.bincount(node.row_classes, minlength=kept.size)
        suppressed -= np.bincount(node.row_classes[release.owners], minlength=kept.size)
        if suppressed[kept].any():
            return None
        return replace(node, kept=kept, n_suppressed=release.n_suppressed)

    @property
    def row_classes(self) -> Codes:
        """The class of each row, computed if the search did not provide it. O(rows · columns)."""
        return number_rows(generalized(self.table, self.levels))[0] if self.ids is None else self.ids

    def bounds(self, column: int) -> tuple[Codes, Codes]:
        """First and last leaf of each class's cell in a column."""
        nested, level = self.table.quasi[column].recoding.nested, self.levels[column]
        codes = self.class_codes[column]
        return nested.low[level, codes], nested.high[level, codes]

    def release(self) -> Release:
        """The records of the kept classes, each column at its level. O(rows · columns)."""
        ids = self.row_classes
        groups = Groups.from_ids(ids, self.sizes.size)
        kept = np.flatnonzero(self.kept).astype(np.int32)
        owners = groups.members[np.repeat(self.kept, groups.sizes)]
        shapes = np.repeat(np.arange(kept.size, dtype=np.int32), groups.sizes[kept])
        return Release(self.table, owners, shapes, tuple(self._cells(j, kept) for j in range(self.table.n_quasi)))

    def _cells(self, column: int, classes: Codes) -> Cells:
        low, high = (bound[classes] for bound in self.bounds(column))
        return level_cells(self.table.quasi[column], low, high, self.levels[column])


def generalized(table: Table, levels: Sequence[int]) -> Codes:
    """The codes of all rows at these levels; a node is represented by its first leaf. O(rows · columns)."""
    columns = zip(table.quasi, table.codes, levels, strict=True)
    return np.array([column.recoding.nested.low[level, codes] for column, codes, level in columns], np.int32)


def level_cells(column: QuasiColumn, low: Codes, high: Codes, level: int) -> Cells:
    """Cells on one level of a column; nodes of a hierarchy record the level, and so does the star of a single value."""
    if column.recoding.closes_to_nodes or (level and column.domain.n_leaves == 1):
        return Cells.of_intervals(low, high, np.full(low.size, level, np.int32))
    return column.recoding.close(low, high)


def levels_of(release: Release) -> tuple[int, ...] | None:
    """The level of each column of a full-domain release; None if its columns do not have one level each."""
    return _one_each(release, _recorded_level)


def chosen_levels(release: Release) -> tuple[int, ...] | None:
    """One level of ``recoding.nested`` per column; None if a column's cells are on several levels or on none.

    A column without a hierarchy has two levels: every value unchanged, or every value suppressed.
    """
    return _one_each(release, _published_level)


def suppressed_rows(release: Release) -> Codes:
    """The rows that own no record. O(rows)."""
    published = np.zeros(release.table.n_rows, bool)
    published[release.owners] = True
    return np.flatnonzero(~published).astype(np.int32)


def _one_each(release: Release, level_of: Callable[[QuasiColumn, Cells], int | None]) -> tuple[int, ...] | None:
    """The level of every column; None if one has none."""
    levels = [level_of(column, cells) for column, cells in zip(release.table.quasi, release.cells, strict=True)]
    known = tuple(level for level in levels if level is not None)
    return known if len(known) == len(levels) else None


def _recorded_level(column: QuasiColumn, cells: Cells) -> int | None:
    """The one level of all cells of a column; None if they record none, or differ."""
    if not column.recoding.closes_to_nodes or cells.levels is None or cells.n_distinct == 0:
        return None
    level = int(cells.levels[0])
    return level if level >= 0 and (cells.levels == level).all() else None


def _published_level(column: QuasiColumn, cells: Cells) -> int | None:
    """The level that the cells record, or the lowest that has all of them if they record none."""
    if cells.printed is not None:
        return None
    if column.recoding.closes_to_nodes or cells.levels is not None:
        named = set() if cells.levels is None else set(cells.levels.tolist())
        return named.pop() if len(named) == 1 else None
    nested = column.recoding.nested
    for level in range(nested.n_levels):
        low, high = nested.low[level, cells.low], nested.high[level, cells.low]
        if ((low == cells.low) & (high == cells.high) & (cells.sizes == high - low + 1)).all():
            return level
    return None


_KNOWN: WeakKeyDictionary[Table | Release, dict[Hashable, Any]] = WeakKeyDictionary()


def once(about: Table | Release, key: Hashable, make: Callable[[], T]) -> T:
    """The result of ``make``, computed once per table or release and key, and forgotten with it."""
    known = _KNOWN.setdefault(about, {})
    if key not in known:
        known[key] = make()
    made: T = known[key]
    return made
