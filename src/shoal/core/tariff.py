"""What cells cost, flattened for kernels."""

from __future__ import annotations

import numpy as np

from shoal.core.arrays import Codes, Floats
from shoal.core.cells import Cells
from shoal.core.contracts import CellMetric
from shoal.core.groups import Groups
from shoal.core.table import QuasiColumn, Table
from shoal.kernels.runs import Tariff


def tariff_of(table: Table, metric: CellMetric, most: int) -> Tariff:
    """The prices of all cells that the table's columns may be published with, sets of at most ``most`` values.

    O(values · levels + most²).
    """
    pieces = [_column_tariff(column, metric, most) for column in table.quasi]
    return Tariff(
        kinds=np.array([kind for kind, _, _ in pieces], np.int64),
        at=np.cumsum([0] + [prices.size for _, prices, _ in pieces])[:-1],
        widths=np.array([column.domain.n_leaves for column in table.quasi], np.int64),
        prices=np.concatenate([prices for _, prices, _ in pieces]),
        ends=np.concatenate([ends for _, _, ends in pieces]),
        weights=np.array([column.weight for column in table.quasi], np.float64),
    )


def range_tariff(table: Table) -> Tariff:
    """What ranges of ranks cost in every column, whatever its cells may be: their share of the occurring values."""
    ranks = [np.cumsum(column.domain.occurs) - 1.0 for column in table.quasi]
    widths = np.array([rank.size for rank in ranks], np.int64)
    return Tariff(
        kinds=np.ones(widths.size, np.int64),
        at=np.cumsum([0, *widths])[:-1],
        widths=widths,
        prices=np.concatenate([rank / max(1.0, rank[-1]) for rank in ranks]),
        ends=np.full(int(widths.sum()), -1, np.int32),
        weights=np.array([column.weight for column in table.quasi], np.float64),
    )


def _column_tariff(column: QuasiColumn, metric: CellMetric, most: int) -> tuple[int, Floats, Codes]:
    recoding, n = column.recoding, column.domain.n_leaves
    if recoding.closes_to_nodes:
        return 0, metric.level_prices(column).ravel(), recoding.nested.high.ravel()
    if recoding.makes_sets:
        prices = np.concatenate([[0.0], _prices_of_sets(column, metric, most)])
        return 2, prices, np.zeros(prices.size, np.int32)
    leaves = np.arange(n, dtype=np.int32)
    cells = Cells.of_intervals(np.zeros(n, np.int32), leaves)
    missing = -1 if column.domain.missing is None else column.domain.missing
    return 1, metric.price(column, cells)[cells.ids], np.full(n, missing, np.int32)


def _prices_of_sets(column: QuasiColumn, metric: CellMetric, most: int) -> Floats:
    """What 1, 2, … values cost, taken from the values that occur; more than occur never happens."""
    occurring = np.flatnonzero(column.domain.occurs).astype(np.int32)
    sizes = np.arange(1, min(most, occurring.size) + 1)
    members = np.concatenate([occurring[:size] for size in sizes])
    lists = Groups(np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64), members)
    n = column.domain.n_leaves
    cells = Cells.of_sets(lists, np.arange(n, dtype=np.int32), n)
    return metric.price(column, cells)[cells.ids]
