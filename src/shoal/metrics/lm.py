"""LM: the share of the other possible values that a cell cannot be told from."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from shoal.core.arrays import Floats
from shoal.core.cells import Cells
from shoal.core.contracts import CellMetric
from shoal.core.table import QuasiColumn


class LM(CellMetric):
    """Mean over cells of (leaves in the cell − 1) / (leaves of the domain − 1).

    Leaves are all values that the hierarchy knows, whether or not a row has them; without a hierarchy the values
    that occur. 0: every cell exact; 1: everything suppressed. A column with a single value loses nothing.

    Reference: Iyengar 2002; Gionis and Tassa 2012 use it for k-concealment.
    """

    name: ClassVar[str] = "lm"
    summary: ClassVar[str] = "mean share of other values a cell cannot be told from (hierarchy leaves)"

    def price(self, column: QuasiColumn, cells: Cells) -> Floats:
        """(leaves − 1) / (all leaves − 1)."""
        n = column.domain.n_leaves
        return (cells.sizes - 1) / (n - 1) if n > 1 else np.zeros(cells.n_distinct)
