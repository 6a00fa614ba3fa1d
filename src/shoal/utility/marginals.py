"""Marginals: how far the distribution of each column is from that of the original."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from shoal.core.arrays import Floats
from shoal.core.table import Table
from shoal.utility.contract import Utility
from shoal.utility.spread import Spread


@dataclass(frozen=True)
class Marginals(Utility):
    """Mean over columns of the total variation between the shares of values in the original and in the release.

    The share of rows that would have to change their value for the two to agree. O(rows + shapes + leaves).
    """

    name: ClassVar[str] = "marginals"
    summary: ClassVar[str] = "mean share of rows misplaced in the distribution of a column"

    def measure(self, table: Table, spread: Spread) -> float | None:
        """The mean over columns."""
        return float(np.mean(list(self.by_column(table, spread).values())))

    def by_column(self, table: Table, spread: Spread) -> dict[str, float]:
        """The total variation of each quasi-identifier."""
        found = {}
        for j, column in enumerate(table.quasi):
            before = np.bincount(table.codes[j], minlength=column.domain.n_leaves) / max(1, table.n_rows)
            found[column.name] = float(np.abs(before - _after(spread, j)).sum() / 2)
        return found


def _after(spread: Spread, column: int) -> Floats:
    """The shares of the leaves, added up cell by cell."""
    cells, shares = spread.cells[column], np.zeros(spread.quasi[column].domain.n_leaves)
    records = np.bincount(cells.ids, weights=spread.weights, minlength=cells.n_distinct)
    for cell in np.flatnonzero(records):
        leaves = cells.leaves(int(cell))
        shares[leaves] += records[cell] / leaves.size
    return shares / max(1, spread.n_records)
