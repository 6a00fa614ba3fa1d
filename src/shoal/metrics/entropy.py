"""Entropy: the bits of uncertainty about the value behind each cell."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from shoal.core.arrays import Floats
from shoal.core.cells import Cells
from shoal.core.contracts import PriceMetric
from shoal.core.table import QuasiColumn, Table
from shoal.metrics.cell_measures import logarithms, summed


@dataclass(frozen=True)
class Entropy(PriceMetric):
    """Sum over all cells of H(X | X in the cell), where X is the column's value in a row of the table drawn at random.

    A cell with one value costs 0 bits, a suppressed one the entropy of the column; columns count by their weight.

    Not monotone: a cell of two equally rare values has one bit of uncertainty, and less once a very frequent value is
    added. NonUniformEntropy is monotone. Bounds on lattice nodes use the minimum over all levels above.

    Cost: O(rows · columns).

    Reference: Gionis and Tassa 2009, k-Anonymization with Minimal Loss of Information (the entropy measure); Tassa,
    Mazza and Gionis 2012, k-Concealment: An Alternative Model of k-Type Anonymity (EM).

    >>> import polars as pl
    >>> import shoal
    >>> from shoal.metrics import Entropy
    >>> table = pl.DataFrame({"zip": ["02139", "02138", "02142", "02141"]})
    >>> words = {"quasi_identifiers": ["zip"], "hierarchies": {"zip": "mask"}, "privacy": shoal.KAnonymity(2)}
    >>> release = shoal.anonymize(table, levels=[1], **words).release  # 0213*, 0213*, 0214*, 0214*
    >>> round(float(Entropy().score(release)), 3)
    4.0
    """

    name: ClassVar[str] = "entropy"
    summary: ClassVar[str] = "bits of uncertainty about the values behind the cells, in all"

    def price(self, column: QuasiColumn, cells: Cells) -> Floats:
        """The entropy of the rows whose values lie in the cell, in bits."""
        counts = column.domain.counts
        rows = summed(cells, counts)
        weighted = summed(cells, counts * logarithms(counts)) / np.maximum(rows, 1)
        return np.where(cells.sizes > 1, np.maximum(logarithms(rows) - weighted, 0.0), 0.0)

    def suppressed_prices(self, column: QuasiColumn, prices: Floats) -> Floats:
        """The entropy of the column."""
        root = Cells.of_intervals(np.zeros(1, np.int32), np.full(1, column.domain.n_leaves - 1, np.int32))
        return np.full_like(prices, self.price(column, root)[0])

    def combine(self, losses: Floats, table: Table) -> Floats:
        """The weighted sum over all rows."""
        return np.asarray(losses @ table.weights * table.n_rows)
