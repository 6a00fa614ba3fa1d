"""Stars: how many cells say nothing any more."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from shoal.core.table import Table
from shoal.utility import Utility
from shoal.utility.spread import Spread


@dataclass(frozen=True)
class Stars(Utility):
    """The share of cells that stand for every value of their column. O(cells)."""

    name: ClassVar[str] = "stars"
    summary: ClassVar[str] = "share of cells that stand for every value"

    def measure(self, table: Table, spread: Spread) -> float | None:
        """Cells that cover their whole column / cells."""
        n_stars = sum(
            int(records)
            for cells, column in zip(spread.cells, spread.quasi, strict=True)
            for cell, records in zip(cells.ids, spread.weights, strict=True)
            if cells.leaves(int(cell)).size == column.domain.n_leaves
        )
        return n_stars / max(1, spread.n_records * len(spread.cells))
