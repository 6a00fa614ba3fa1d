"""LM: the share of the other possible values that a cell covers."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from shoal.core.arrays import Floats
from shoal.core.cells import Cells
from shoal.core.contracts import CellMetric
from shoal.core.parameters import checked, real_number
from shoal.core.table import QuasiColumn
from shoal.metrics.suppression_weight import factors


@dataclass(frozen=True)
class LM(CellMetric):
    """Mean over cells of (leaves in the cell − 1) / (leaves of the domain − 1).

    Leaves are all values of the hierarchy, whether or not a row has them; without a hierarchy, the values that occur.
    0: every cell is exact; 1: everything is suppressed. A column with a single value loses nothing.

    Monotone: a coarser cell has more leaves, and a suppressed row costs at least as much as its cell would.

    ``split`` weighs generalization (g) against suppression (s). ARX's loss of a column of N rows and L leaves is (T −
    g·N/L) / (N − g·N/L), where T sums g·leaves/L over kept rows and 1 over suppressed ones, or, for s < 1 (and so g =
    1), share + s·(1 − share). Row by row, a kept row costs (g·leaves/L − g/L) / (1 − g/L) = g·(leaves − 1) / (L − g),
    which is the term above for g = 1; a suppressed row costs 1 or, because a share is 1/L + lm·(1 − 1/L), lm + s·(1 −
    lm) with lm the cost of its cell. So LM is ARX's loss with the arithmetic mean.

    Cost: O(rows · columns).

    Reference: Iyengar 2002, Transforming Data to Satisfy Privacy Constraints; Tassa, Mazza and Gionis 2012,
    k-Concealment: An Alternative Model of k-Type Anonymity.

    >>> import polars as pl
    >>> import shoal
    >>> from shoal.metrics import LM
    >>> table = pl.DataFrame({"zip": ["02139", "02138", "02142", "02141"]})
    >>> words = {"quasi_identifiers": ["zip"], "hierarchies": {"zip": "mask"}, "privacy": shoal.KAnonymity(2)}
    >>> release = shoal.anonymize(table, levels=[1], **words).release  # 0213*, 0213*, 0214*, 0214*
    >>> round(float(LM().score(release)), 3)
    0.333
    """

    split: float = field(default=0.5, metadata=checked(real_number, "split", least=0, most=1))

    name: ClassVar[str] = "lm"
    summary: ClassVar[str] = "mean share of the other values that a cell covers (hierarchy leaves)"
    is_monotone: ClassVar[bool] = True

    def price(self, column: QuasiColumn, cells: Cells) -> Floats:
        """g · (leaves − 1) / (all leaves − g)."""
        n, g = column.domain.n_leaves, factors(self.split).generalization
        return np.asarray((cells.sizes - 1) * (g / (n - g if n > 1 else 1.0)), np.float64)

    def suppressed_prices(self, column: QuasiColumn, prices: Floats) -> Floats:
        """1, or the price of the cell plus s times the remainder."""
        s = factors(self.split).suppression
        return np.ones_like(prices) if s == 1 else prices + s * (1 - prices)
