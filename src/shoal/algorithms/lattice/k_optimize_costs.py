"""The cost that k-Optimize minimises: a sum over rows."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from shoal.core.arrays import Codes, Floats, Offsets
from shoal.core.contracts import CellMetric, Metric
from shoal.core.table import QuasiColumn, Table
from shoal.errors import InputError
from shoal.metrics import DM

CellBounds = Sequence[tuple[Codes, Codes]]
"""For each column, the first and last leaf of the cell of each leaf."""


def costs_of(metric: Metric, table: Table) -> Costs:
    """The costs that add up to a metric.

    Raises:
        InputError: the metric is not such a sum.
    """
    if isinstance(metric, DM):
        return ClassCosts(table.n_rows)
    if isinstance(metric, CellMetric) and _is_plain(metric, table):
        return CellCosts(metric, table)
    raise InputError(
        f"The algorithm 'k-optimize' minimises dm or a mean price of cells such as lm, not {metric.name!r}; "
        "choose one of these metrics or another algorithm."
    )


class ClassCosts:
    """DM: a row costs the size of its class, a suppressed row that of the table."""

    scale = 1.0
    by_size = True

    def __init__(self, n_rows: int) -> None:
        self.lost = float(n_rows)

    def kept(self, cells: CellBounds, codes: Codes, sizes: Offsets) -> Floats:
        """What each row costs if it is published, the size of its class; ``sizes`` are those of the rows' classes."""
        return sizes.astype(np.float64)

    def least(self, cells: CellBounds, codes: Codes, sizes: Offsets, floor: int) -> Floats:
        """The least that each row costs with coarser cells, in classes of ``sizes`` or more, at least ``floor``."""
        return np.maximum(sizes, floor).astype(np.float64)

    def prices(self, column: int, low: Codes, high: Codes) -> Floats:
        """What cells of a column add to the cost of each of their rows: nothing."""
        return np.zeros(low.size)


class CellCosts:
    """A mean price of cells: a row costs the weighted mean of its prices, a suppressed row that of the star."""

    by_size = False

    def __init__(self, metric: CellMetric, table: Table) -> None:
        self._metric, self._table = metric, table
        weights = np.array([column.weight for column in table.quasi])
        self._weights = weights / max(weights.sum(), np.finfo(float).tiny)
        self.scale = 1.0 / max(1, table.n_rows)
        self.lost = float(np.dot(self._weights, [_lost(metric, column) for column in table.quasi]))

    def kept(self, cells: CellBounds, codes: Codes, sizes: Offsets) -> Floats:
        """The mean price."""
        total = np.zeros(codes.shape[1])
        for column, (low, high) in enumerate(cells):
            total += self.prices(column, low, high)[codes[column]]
        return total

    def least(self, cells: CellBounds, codes: Codes, sizes: Offsets, floor: int) -> Floats:
        """The mean price, because no price falls when a cell grows."""
        return self.kept(cells, codes, sizes)

    def prices(self, column: int, low: Codes, high: Codes) -> Floats:
        """The price times the column's share of the mean."""
        of = self._table.quasi[column]
        closed = of.recoding.close(low, high)
        found: Floats = self._weights[column] * self._metric.price(of, closed)[closed.ids]
        return found


Costs = ClassCosts | CellCosts
"""A cost per row; the score is their sum times ``scale``.

``lost`` is what a suppressed row costs, and no row costs more; ``by_size`` says whether a row costs the size of its
class.
"""


def _is_plain(metric: CellMetric, table: Table) -> bool:
    """Whether the score is the weighted mean of monotone prices, and suppression is never cheaper."""
    kind = type(metric)
    plain = all(getattr(kind, name) is getattr(CellMetric, name) for name in ("combine", "by_column", "score"))
    return plain and metric.is_monotone and all(_lost(metric, column) >= 0 for column in table.quasi)


def _lost(metric: CellMetric, column: QuasiColumn) -> float:
    """What a suppressed row pays, if that does not depend on its values; −1 if it does."""
    n = column.domain.n_leaves
    prices = metric.level_prices(column)
    lost = metric.suppressed_prices(column, prices)
    return float(lost.max()) if n and np.ptp(lost) < 1e-12 and lost.max() >= prices.max() - 1e-12 else -1.0
