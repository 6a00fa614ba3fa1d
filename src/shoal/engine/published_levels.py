"""The hierarchy level on which each column of a release was published, if it has one."""

from __future__ import annotations

from shoal.core.cells import Cells
from shoal.core.release import Release
from shoal.core.table import QuasiColumn


def chosen_levels(release: Release) -> tuple[int, ...] | None:
    """One level of ``recoding.nested`` per column; None if a column's cells are on several levels or on none.

    A column without a hierarchy has two levels: every value unchanged, or every value suppressed.
    """
    levels = [_level_of(column, cells) for column, cells in zip(release.table.quasi, release.cells, strict=True)]
    known = tuple(level for level in levels if level is not None)
    return known if len(known) == len(levels) else None


def _level_of(column: QuasiColumn, cells: Cells) -> int | None:
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
