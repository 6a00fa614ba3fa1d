"""The level of a cell in its column's hierarchy."""

from __future__ import annotations

from shoal.core.arrays import Floats
from shoal.core.cells import Cells
from shoal.core.table import QuasiColumn


def cell_levels(column: QuasiColumn, cells: Cells) -> Floats:
    """The level of each distinct cell, at most ``column_height``.

    For a node of a hierarchy: the level that the cell records, else the lowest that has it. Ranges and sets have no
    level: the share of the other values that they cover is used instead, as if the column had two levels, value and
    star.
    """
    if not column.recoding.closes_to_nodes:
        return (cells.sizes - 1) / max(1, column.domain.n_leaves - 1)
    if cells.levels is not None:
        return cells.levels.astype(float)
    return column.recoding.nested.cover(cells.low, cells.high)[2].astype(float)


def column_height(column: QuasiColumn) -> int:
    """The level of the root."""
    return column.recoding.nested.n_levels - 1 if column.recoding.closes_to_nodes else 1
