"""The tree measure of Aggarwal et al.: how high in its hierarchy a cell is."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from shoal.core.arrays import Floats
from shoal.core.cells import Cells
from shoal.core.contracts import CellMetric
from shoal.core.table import QuasiColumn


class Levels(CellMetric):
    """Mean over cells of the height of the lowest node around a cell, over the height of the root.

    A column without a hierarchy has two levels, its values and the star.
    """

    name: ClassVar[str] = "levels"
    summary: ClassVar[str] = "mean height of a cell in its hierarchy"

    def price(self, column: QuasiColumn, cells: Cells) -> Floats:
        """Height over height of the root; 0 where a hierarchy has one level."""
        nested = column.recoding.nested
        _, _, levels = nested.cover(cells.low, cells.high)
        return np.asarray(levels / max(1, nested.n_levels - 1))
