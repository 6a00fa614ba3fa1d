"""The prices of all cells of a table, laid out for the kernels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from shoal.core.arrays import Codes, Floats, Whole
from shoal.core.contracts import CellMetric, PriceMetric
from shoal.core.planes import Nodes, Plane, laid, tabulated_ranges
from shoal.core.priced_column import PricedColumn
from shoal.core.table import Table
from shoal.errors import InputError
from shoal.kernels.planes import SETS, SPAN
from shoal.kernels.tariff import Tariff

UNIT = float(2**40)
"""The price of a fully suppressed row."""

MOST_TABULATED = 1024
"""The most leaves of a column whose ranges are priced one by one, for metrics that are not means over cells."""

_NO_NODES = np.zeros((3, 0), np.int32)

_MOST_JOINS = 2**20
"""The most joins of nodes and leaves in a table; in larger trees the kernels climb."""


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
        columns.append((_span(prices, None), _NO_NODES))
    return _laid(columns, UNIT)


def _column(priced: PricedColumn, most: int | None) -> tuple[Plane, Codes]:
    """A column as a plane; if it is a tree, the ends and parents of its nodes."""
    domain, recoding = priced.column.domain, priced.column.recoding
    n, leaves = domain.n_leaves, np.arange(domain.n_leaves, dtype=np.int32)
    if recoding.closes_to_nodes:
        nodes = Nodes.of(priced, np.ones(n, np.bool_))
        plane = nodes.table(n) if nodes.low.size * n <= _MOST_JOINS else nodes.ladder(n)
        return plane, np.array([nodes.low, nodes.high, nodes.parents], np.int32)
    if recoding.makes_sets:
        return _sets(priced, most), _NO_NODES
    if isinstance(priced.metric, CellMetric):
        return _span(priced.of_ranges(np.zeros_like(leaves), leaves), domain.missing), _NO_NODES
    if n > MOST_TABULATED:
        raise InputError(
            f"The metric {priced.metric.name!r} cannot price ranges of the {n:,} values of {priced.column.name!r} "
            "here; use lm, or give the column a hierarchy."
        )
    return replace(tabulated_ranges(priced, leaves), top=_leaf(domain.missing)), _NO_NODES


def _leaf(missing: int | None) -> int:
    return -1 if missing is None else missing


def _span(prices: Whole, missing: int | None) -> Plane:
    """A plane of ranges that cost the difference of their ends."""
    return Plane(SPAN, prices.size, prices, bounds=prices, top=_leaf(missing))


def _sets(priced: PricedColumn, most: int | None) -> Plane:
    if not isinstance(priced.metric, CellMetric):
        raise InputError(
            f"The metric {priced.metric.name!r} cannot price the sets of {priced.column.name!r} here; use lm, "
            "or give it a hierarchy."
        )
    prices = np.concatenate([[0], priced.of_sets(most)])
    prices = np.append(prices, prices[-1])  # growing cells look up one member more than possible
    return Plane(SETS, priced.column.domain.n_leaves, prices, bounds=prices)


def _laid(columns: Sequence[tuple[Plane, Codes]], unit: float) -> Tariff:
    """The columns in the arrays of the kernels; an extra column at the end marks the ends of the lists."""
    planes, nodes = zip(*columns, strict=True)
    shapes, entries = laid(planes, 3, np.int64)
    n_words = [-(-plane.width // 64) if plane.kind == SETS else 0 for plane in planes]
    starts = np.cumsum([[0, *n_words], [0, *(one.shape[1] for one in nodes)]], axis=1)
    end = np.array([[0], [0], [entries.shape[1]], [-1], [-1]])
    return Tariff(np.vstack([np.hstack([shapes, end]), starts]), entries, np.ascontiguousarray(np.hstack(nodes)), unit)
