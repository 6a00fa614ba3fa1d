"""The prices of all cells of a table, laid out for the kernels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from shoal.core.arrays import Codes, Floats, Whole
from shoal.core.contracts import CellMetric, PriceMetric
from shoal.core.priced_column import PricedColumn
from shoal.core.table import Table
from shoal.errors import InputError
from shoal.kernels.tariff import SETS, SPAN, TABLE, TREE, Tariff

UNIT = float(2**40)
"""The price of a fully suppressed row."""

MOST_TABULATED = 1024
"""The most leaves of a column whose ranges are priced one by one, for metrics that are not means over cells."""

_MOST_MEETS = 2**20
"""The most entries of a table of nodes and leaves; for larger trees the kernels climb the tree."""


@dataclass(frozen=True, eq=False)
class _Column:
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


def tariff_of(table: Table, metric: PriceMetric, shares: Floats | None = None, most: int | None = None) -> Tariff:
    """The prices of all cells that the table's columns may be published with, sets of at most ``most`` values.

    Columns are weighted by their weights, or by ``shares``. A fully suppressed row costs about ``UNIT``.
    O(values · levels + most²).

    Raises:
        InputError: the metric cannot price cells of some column.
    """
    shares = np.array([column.weight for column in table.quasi]) if shares is None else shares
    whole = [metric.price(column, column.recoding.everything(1))[0] for column in table.quasi]
    unit = UNIT / (float(np.dot(shares, whole)) or 1.0)
    priced = [PricedColumn(column, metric, share * unit) for column, share in zip(table.quasi, shares, strict=True)]
    return _laid([_column(one, most) for one in priced], unit * (float(shares.sum()) or 1.0))


def range_tariff(table: Table) -> Tariff:
    """Prices of ranges of ranks in every column, whatever its recoding: their share of the occurring values."""
    total = sum(column.weight for column in table.quasi) or 1.0
    columns = []
    for column in table.quasi:
        ranks = np.cumsum(column.domain.occurs) - 1.0
        prices = np.rint(ranks * (UNIT * column.weight / total / max(1.0, ranks[-1]))).astype(np.int64)
        columns.append(_Column(SPAN, ranks.size, prices, prices))
    return _laid(columns, UNIT)


def _column(priced: PricedColumn, most: int | None) -> _Column:
    if priced.column.recoding.closes_to_nodes:
        return _tree(priced)
    if priced.column.recoding.makes_sets:
        return _sets(priced, most)
    return _span(priced) if isinstance(priced.metric, CellMetric) else _table(priced)


def _tree(priced: PricedColumn) -> _Column:
    """Leaf ``x`` is node ``x``; the other nodes follow."""
    nested, n = priced.column.recoding.nested, priced.column.domain.n_leaves
    keys = nested.low.astype(np.int64) * n + nested.high
    inner = np.unique(keys[nested.low < nested.high])
    numbers = np.where(nested.low == nested.high, nested.low, n + np.searchsorted(inner, keys))
    leaves = np.arange(n)
    low, high = np.concatenate([leaves, inner // n]), np.concatenate([leaves, inner % n])
    parents = np.arange(low.size)
    for below, above in pairwise(numbers):
        parents[below[below != above]] = above[below != above]
    prices = priced.of_ranges(low, high)
    bounds = prices.copy()
    for node in np.argsort(low - high, kind="stable"):
        bounds[node] = min(bounds[node], bounds[parents[node]])
    return _Column(TREE, n, prices, bounds, np.array([low, high, parents], np.int32))


def _span(priced: PricedColumn) -> _Column:
    leaves, missing = np.arange(priced.column.domain.n_leaves), priced.column.domain.missing
    prices = priced.of_ranges(np.zeros_like(leaves), leaves)
    return _Column(SPAN, leaves.size, prices, prices, top=-1 if missing is None else missing)


def _table(priced: PricedColumn) -> _Column:
    n, missing = priced.column.domain.n_leaves, priced.column.domain.missing
    if n > MOST_TABULATED:
        raise InputError(
            f"The metric {priced.metric.name!r} cannot price ranges of the {n:,} values of {priced.column.name!r} "
            "here; use lm, or give the column a hierarchy."
        )
    first, last = np.minimum(*np.indices((n, n))).ravel(), np.maximum(*np.indices((n, n))).ravel()
    if missing is not None:
        first = np.where((last == missing) & (first < last), 0, first)
    prices = priced.of_ranges(first, last)
    bounds = prices.reshape(n, n).copy()
    bounds = np.minimum.accumulate(np.minimum.accumulate(bounds[:, ::-1], axis=1)[:, ::-1], axis=0)
    return _Column(TABLE, n, prices, bounds.ravel(), top=-1 if missing is None else missing)


def _sets(priced: PricedColumn, most: int | None) -> _Column:
    if not isinstance(priced.metric, CellMetric):
        raise InputError(
            f"The metric {priced.metric.name!r} cannot price the sets of {priced.column.name!r} here; use lm, "
            "or give it a hierarchy."
        )
    prices = np.concatenate([[0], priced.of_sets(most)])
    prices = np.append(prices, prices[-1])  # growing cells look up one member more than possible
    width = priced.column.domain.n_leaves
    return _Column(SETS, width, prices, prices, n_words=-(-width // 64))


def _laid(columns: Sequence[_Column], unit: float) -> Tariff:
    """The columns in the arrays of the kernels; an extra column at the end marks the ends of the lists."""
    sizes = np.array([[c.prices.size, c.n_words, c.nodes.shape[1]] for c in columns]).reshape(-1, 3)
    at = np.concatenate([np.zeros((1, 3), np.int64), np.cumsum(sizes, axis=0)]).T
    n = len(columns)
    told = np.zeros((7, n + 1), np.int64)
    told[0, :n] = [c.kind for c in columns]
    told[1], told[4], told[5] = at[0], at[1], at[2]
    told[2, :n] = [c.width for c in columns]
    told[3, :n] = [c.top for c in columns]
    told[6], meets = _meets(columns)
    prices = np.array([np.concatenate([c.prices for c in columns]), np.concatenate([c.bounds for c in columns])])
    return Tariff(told, prices, np.ascontiguousarray(np.concatenate([c.nodes for c in columns], axis=1)), meets, unit)


def _meets(columns: Sequence[_Column]) -> tuple[Whole, Codes]:
    """The start of each column's table of smallest nodes around a node and a leaf, −1 for none; and the tables."""
    at, tables, size = np.full(len(columns) + 1, -1, np.int64), [np.zeros(0, np.int32)], 0
    for c, column in enumerate(columns):
        if column.kind == TREE and column.prices.size * column.width <= _MOST_MEETS:
            at[c], size = size, size + column.prices.size * column.width
            tables.append(column.meets().ravel())
    return at, np.concatenate(tables)
