"""How high in its column's hierarchy a cell is."""

from __future__ import annotations

from shoal.core.arrays import Floats
from shoal.core.cells import Cells
from shoal.core.table import QuasiColumn


def cell_levels(column: QuasiColumn, cells: Cells) -> Floats:
    """The level of each distinct cell; of ``column_height`` at most.

    A node of a hierarchy: the level that the cell names, else the lowest that has it. A range or set is on no level:
    what it covers of the other values stands for one, as if the column had the two levels value and star.
    """
    if not column.recoding.closes_to_nodes:
        return (cells.sizes - 1) / max(1, column.domain.n_leaves - 1)
    if cells.levels is not None:
        return cells.levels.astype(float)
    return column.recoding.nested.cover(cells.low, cells.high)[2].astype(float)


def column_height(column: QuasiColumn) -> int:
    """The level of the root."""
    return column.recoding.nested.n_levels - 1 if column.recoding.closes_to_nodes else 1
