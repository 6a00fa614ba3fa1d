"""What the cells of a column cost, as whole numbers in the layout of the kernels."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from shoal.core.arrays import Codes, Floats
from shoal.core.cells import Cells
from shoal.core.contracts import CellMetric, Metric, PriceMetric
from shoal.core.groups import Groups
from shoal.core.table import QuasiColumn, Table
from shoal.errors import InputError
from shoal.kernels.concealment_ground import SETS, SPAN, TABLE, TREE

Whole = npt.NDArray[np.int64]
Numbers = npt.NDArray[np.integer]

UNIT = float(2**40)
"""The price of a record of which nothing is told."""

MOST_TABULATED = 1024
"""Leaves of a column whose ranges are priced one by one, where a metric is no mean over cells."""

_CHUNK = 256


@dataclass(frozen=True, eq=False)
class Priced:
    """One column: its kind, leaves, prices, least prices from each cell on, nodes (low, high, parent), missing leaf."""

    kind: int
    width: int
    prices: Whole
    bounds: Whole
    nodes: Codes = field(default_factory=lambda: np.zeros((3, 0), np.int32))
    top: int = -1
    n_words: int = 0

    def meets(self) -> Codes:
        """The smallest node around each node (row) and leaf (column) of a tree. O(nodes · leaves)."""
        low, high, parents = self.nodes
        table = np.empty((low.size, self.width), np.int32)
        for node in np.argsort(low - high, kind="stable"):  # the widest first, so parents before children
            table[node] = table[parents[node]]
            table[node, low[node] : high[node] + 1] = node
        return table


def priced_columns(table: Table, metric: Metric) -> list[Priced]:
    """The prices of all cells of a table, the suppressed record's adding up to about ``UNIT``.

    Raises:
        InputError: the metric is not a sum over cells, or cannot price cells of some column here.
    """
    shares = _shares(table, metric)
    assert isinstance(metric, PriceMetric)
    tops = [
        float(share * metric.price(column, _whole(column))[0])
        for share, column in zip(shares, table.quasi, strict=True)
    ]
    unit = UNIT / (sum(tops) or 1.0)
    return [_priced(column, metric, float(share) * unit) for share, column in zip(shares, table.quasi, strict=True)]


def _shares(table: Table, metric: Metric) -> Floats:
    """What each column counts for in the loss."""
    if not isinstance(metric, PriceMetric):
        raise InputError(f"The algorithm 'concealment' needs a metric of cells such as lm, not {metric.name!r}.")
    units = np.eye(table.n_quasi)
    shares = np.array([float(metric.combine(unit, table)) for unit in units])
    if not np.allclose(metric.combine(units.sum(axis=0), table), shares.sum()):
        raise InputError(f"The algorithm 'concealment' needs a metric that adds up over columns, not {metric.name!r}.")
    return shares


def _whole(column: QuasiColumn) -> Cells:
    return column.recoding.everything(1)


def _priced(column: QuasiColumn, metric: PriceMetric, unit: float) -> Priced:
    if column.recoding.closes_to_nodes:
        return _tree(column, metric, unit)
    if column.recoding.makes_sets:
        return _sets(column, metric, unit)
    return _span(column, metric, unit) if isinstance(metric, CellMetric) else _table(column, metric, unit)


def _rounded(prices: Floats, unit: float) -> Whole:
    return np.rint(prices * unit).astype(np.int64)


def _interval_prices(column: QuasiColumn, metric: PriceMetric, low: Numbers, high: Numbers, unit: float) -> Whole:
    cells = Cells.of_intervals(low.astype(np.int32), high.astype(np.int32))
    return _rounded(metric.price(column, cells)[cells.ids], unit)


def _tree(column: QuasiColumn, metric: PriceMetric, unit: float) -> Priced:
    """Leaf ``x`` is node ``x``; the other nodes follow."""
    nested, n = column.recoding.nested, column.domain.n_leaves
    keys = nested.low.astype(np.int64) * n + nested.high
    inner = np.unique(keys[nested.low < nested.high])
    numbers = np.where(nested.low == nested.high, nested.low, n + np.searchsorted(inner, keys))
    leaves = np.arange(n)
    low, high = np.concatenate([leaves, inner // n]), np.concatenate([leaves, inner % n])
    parents = np.arange(low.size)
    for below, above in pairwise(numbers):
        parents[below[below != above]] = above[below != above]
    prices = _interval_prices(column, metric, low, high, unit)
    bounds = prices.copy()
    for node in np.argsort(low - high, kind="stable"):
        bounds[node] = min(bounds[node], bounds[parents[node]])
    return Priced(TREE, n, prices, bounds, np.array([low, high, parents], np.int32))


def _span(column: QuasiColumn, metric: CellMetric, unit: float) -> Priced:
    leaves = np.arange(column.domain.n_leaves)
    prices = _interval_prices(column, metric, np.zeros_like(leaves), leaves, unit)
    missing = column.domain.missing
    return Priced(SPAN, leaves.size, prices, prices, top=-1 if missing is None else missing)


def _table(column: QuasiColumn, metric: PriceMetric, unit: float) -> Priced:
    n, missing = column.domain.n_leaves, column.domain.missing
    if n > MOST_TABULATED:
        raise InputError(
            f"The metric {metric.name!r} cannot price ranges of the {n:,} values of {column.name!r} here; "
            "use lm, or give the column a hierarchy."
        )
    first, last = np.minimum(*np.indices((n, n))).ravel(), np.maximum(*np.indices((n, n))).ravel()
    if missing is not None:
        first = np.where((last == missing) & (first < last), 0, first)
    prices = _interval_prices(column, metric, first, last, unit)
    bounds = prices.reshape(n, n).copy()
    bounds = np.minimum.accumulate(np.minimum.accumulate(bounds[:, ::-1], axis=1)[:, ::-1], axis=0)
    return Priced(TABLE, n, prices, bounds.ravel(), top=-1 if missing is None else missing)


def _sets(column: QuasiColumn, metric: PriceMetric, unit: float) -> Priced:
    if not isinstance(metric, CellMetric):
        raise InputError(
            f"The metric {metric.name!r} cannot price the sets of {column.name!r} here; use lm, or give it a hierarchy."
        )
    occurring = np.flatnonzero(column.domain.occurs).astype(np.int32)
    sizes = np.arange(1, occurring.size + 1)
    pieces = [
        _prices_of_sets(column, metric, occurring, some, unit)
        for some in np.split(sizes, range(_CHUNK, sizes.size, _CHUNK))
    ]
    prices = np.concatenate([np.zeros(1, np.int64), *pieces, np.zeros(1, np.int64)])
    prices[-1] = prices[-2]
    return Priced(SETS, column.domain.n_leaves, prices, prices, n_words=-(-column.domain.n_leaves // 64))


def _prices_of_sets(column: QuasiColumn, metric: CellMetric, occurring: Codes, sizes: Whole, unit: float) -> Whole:
    """What sets of so many values cost."""
    n = column.domain.n_leaves
    lists = Groups(
        np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64), np.concatenate([occurring[:m] for m in sizes])
    )
    cells = Cells.of_sets(lists, np.arange(n, dtype=np.int32), n)
    return _rounded(metric.price(column, cells)[cells.ids], unit)
