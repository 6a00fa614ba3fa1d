"""LM with the columns combined by their geometric mean."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from shoal.core.arrays import Floats
from shoal.core.table import Table
from shoal.metrics.lm import LM


@dataclass(frozen=True)
class LMGeometric(LM):
    """(Π (1 + weight · loss of the column)) ^ (1 / columns) − 1, with the losses of LM.

    ARX's default. A loss that is spread evenly over the columns counts for more than one concentrated on a few.
    Monotone like LM: the product grows with each factor.

    Cost: O(rows · columns).

    Reference: Prasser, Kohlmayer, Lautenschläger and Kuhn 2014, ARX: A Comprehensive Tool for Anonymizing Biomedical
    Data.

    >>> import polars as pl
    >>> import shoal
    >>> from shoal.metrics import LMGeometric
    >>> table = pl.DataFrame({"zip": ["02139", "02138", "02142", "02141"]})
    >>> words = {"quasi_identifiers": ["zip"], "hierarchies": {"zip": "mask"}, "privacy": shoal.KAnonymity(2)}
    >>> release = shoal.anonymize(table, levels=[1], **words).release  # 0213*, 0213*, 0214*, 0214*
    >>> round(float(LMGeometric().score(release)), 3)
    0.333
    """

    name: ClassVar[str] = "lm_geometric"
    summary: ClassVar[str] = "LM with the columns' losses combined by the geometric mean of 1 + loss"

    def combine(self, losses: Floats, table: Table) -> Floats:
        """The geometric mean, computed by logarithms of 1 + loss so that small losses stay exact."""
        return np.asarray(np.expm1(np.log1p(losses * table.weights).mean(axis=-1)))
