"""Prices of the cells of a column as integers, so that sums are exact in any order."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from shoal.core.arrays import Codes, Whole
from shoal.core.cells import Cells
from shoal.core.contracts import PriceMetric
from shoal.core.groups import Groups
from shoal.core.table import QuasiColumn

Numbers = npt.NDArray[np.integer]

_CHUNK = 256


@dataclass(frozen=True, eq=False)
class PricedColumn:
    """A column and the prices of its cells; a cell that the metric prices at 1 costs ``unit``."""

    column: QuasiColumn
    metric: PriceMetric
    unit: float

    def __call__(self, cells: Cells) -> Whole:
        """The price of the i-th cell."""
        return np.rint(self.metric.price(self.column, cells)[cells.ids] * self.unit).astype(np.int64)

    @property
    def occurring(self) -> Codes:
        """The leaves that occur in rows."""
        return np.flatnonzero(self.column.domain.occurs).astype(np.int32)

    def of_ranges(self, low: Numbers, high: Numbers) -> Whole:
        """The prices of ranges of leaves."""
        return self(Cells.of_intervals(low.astype(np.int32), high.astype(np.int32)))

    def of_closed(self, low: Numbers, high: Numbers) -> Whole:
        """The prices of the smallest permitted cells around ranges of leaves."""
        return self(self.column.recoding.close(low.astype(np.int32), high.astype(np.int32)))

    def of_sets(self, most: int | None = None) -> Whole:
        """The prices of sets of 1, 2, … occurring values: up to all of them, or up to ``most``.

        O(values · most). Only useful for metrics under which the price of a set depends on its size.
        """
        occurring = self.occurring
        sizes = np.arange(1, min(most or occurring.size, occurring.size) + 1)
        pieces = [self(self._sets(occurring, some)) for some in np.split(sizes, range(_CHUNK, sizes.size, _CHUNK))]
        return np.concatenate(pieces)

    def _sets(self, occurring: Codes, sizes: Whole) -> Cells:
        """Sets of the first occurring values, one for each size."""
        n = self.column.domain.n_leaves
        offsets = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        lists = Groups(offsets, np.concatenate([occurring[:size] for size in sizes]))
        return Cells.of_sets(lists, np.arange(n, dtype=np.int32), n)
