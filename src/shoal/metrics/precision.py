"""Precision: the mean relative height of the cells, as a loss."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Literal

import numpy as np

from shoal.core.arrays import Floats
from shoal.core.cells import Cells
from shoal.core.contracts import CellMetric
from shoal.core.parameters import checked, real_number
from shoal.core.table import QuasiColumn
from shoal.errors import InputError
from shoal.metrics.cell_measures import cell_levels, column_height
from shoal.metrics.suppression_weight import factors


@dataclass(frozen=True)
class Precision(CellMetric):
    """Mean over cells of level / height of the hierarchy: 1 − Sweeney's Prec. Suppressed cells are at the root.

    ``suppressed="ignored"`` leaves suppressed rows on the level of a full-domain release (in any other release they
    cost nothing): ARX's monotone variant. ``split`` weighs generalization (times g) against suppression (s instead of
    1). Ranges and sets have no levels; the share of the other values that they cover is used instead.

    Monotone: a coarser cell is on no lower level, and none is above the root.

    Cost: O(rows · columns).

    Reference: Sweeney 2002, Achieving k-Anonymity Privacy Protection Using Generalization and Suppression; Ciriani et
    al. 2007, k-Anonymity (section 3).

    >>> import polars as pl
    >>> import shoal
    >>> from shoal.metrics import Precision
    >>> table = pl.DataFrame({"zip": ["02139", "02138", "02142", "02141"]})
    >>> words = {"quasi_identifiers": ["zip"], "hierarchies": {"zip": "mask"}, "privacy": shoal.KAnonymity(2)}
    >>> release = shoal.anonymize(table, levels=[1], **words).release  # 0213*, 0213*, 0214*, 0214*
    >>> round(float(Precision().score(release)), 3)
    0.2
    """

    split: float = field(default=0.5, metadata=checked(real_number, "split", least=0, most=1))
    suppressed: Literal["counted", "ignored"] = "counted"

    name: ClassVar[str] = "precision"
    summary: ClassVar[str] = "mean level of the cells over the height of their hierarchies"
    is_monotone: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.suppressed not in ("counted", "ignored"):
            raise InputError(f"suppressed must be counted or ignored, got {self.suppressed!r}.")

    def price(self, column: QuasiColumn, cells: Cells) -> Floats:
        """g · level / height."""
        return cell_levels(column, cells) * (factors(self.split).generalization / column_height(column))

    def suppressed_prices(self, column: QuasiColumn, prices: Floats) -> Floats:
        """s, or the level's price."""
        return prices if self.suppressed == "ignored" else np.full_like(prices, factors(self.split).suppression)
