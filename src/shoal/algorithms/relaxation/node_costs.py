"""The columns of a table as levels of nodes with their costs: what boxes are made of."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from shoal.core.arrays import Codes, Flags, Floats, Whole
from shoal.core.contracts import CellMetric
from shoal.core.release import Release
from shoal.core.table import QuasiColumn, Table
from shoal.errors import InputError
from shoal.kernels.distinct import number_rows
from shoal.kernels.relaxation_boxes import Lattice

_VISIT = 2e-8
"""Approximate seconds to process one row on one node of the lattice."""

_LOOKS, _ROW = 1.5, 2.2e-4
"""As long as so many looks at all boxes take, and so many seconds for each distinct row, it takes until the groups of
the program are worthwhile: measured on parts of Adult."""

_PLURALS = {"range": "ranges", "sets": "sets"}

UNIT = 2**40
"""The cost of a suppressed row, in the integers in which prices are checked."""


@dataclass(frozen=True, eq=False)
class LevelCosts:
    """The lattice of a table over its distinct rows, with costs as floats and as integers, rounded down."""

    lattice: Lattice
    whole: Lattice
    weights: Whole

    @classmethod
    def of(cls, table: Table, metric: CellMetric) -> LevelCosts:
        """All levels of all columns, those with many values first; every cell must be a node. O(rows · levels)."""
        total = sum(column.weight for column in table.quasi) or 1.0
        firsts = table.distinct.firsts
        columns = sorted(zip(table.quasi, table.codes[:, firsts], strict=True), key=lambda c: -c[0].domain.n_leaves)
        levels = [_levels(column, codes, metric, column.weight / total) for column, codes in columns]
        flat = [level for some in levels for level in some]
        sizes = np.array([costs.size for _, costs in flat])
        costs = np.concatenate([costs for _, costs in flat])
        lattice = Lattice(
            first=np.cumsum([0] + [len(some) for some in levels]),
            nodes=np.array([nodes for nodes, _ in flat], np.int32),
            n_nodes=sizes.astype(np.int64),
            at=np.cumsum(np.append(0, sizes))[:-1],
            costs=costs,
        )
        whole = lattice._replace(costs=np.floor(costs * UNIT).astype(np.int64))
        return cls(lattice, whole, table.distinct.weights)

    @property
    def tops(self) -> range:
        """The levels of the first column; the lattice is processed in as many pieces."""
        return range(int(self.lattice.first[1]))

    @property
    def n_nodes(self) -> int:
        """Number of nodes of the lattice: choices of one level per column."""
        return int(np.prod(np.diff(self.lattice.first).astype(object)))

    def free(self, k: int) -> Flags:
        """Distinct rows in a box that costs nothing and holds k rows; their price can only be 0."""
        first, ids = self.whole.first, []
        for start, stop in pairwise(first.tolist()):
            home = np.full(self.weights.size, -1, np.int64)
            for level in range(start, stop):
                nodes, at = self.whole.nodes[level], self.whole.at[level]
                home = np.where(self.whole.costs[at + nodes] == 0, at + nodes, home)
            ids.append(home)
        boxes, _ = number_rows(np.array(ids, np.int32))
        alone = (np.array(ids) < 0).any(axis=0)
        return np.asarray((np.bincount(boxes, self.weights)[boxes] >= k) & ~alone)


def seconds_to_look(n_nodes: int, n_rows: int) -> float:
    """Approximately how long it takes to look at all boxes once, given the number of distinct rows."""
    return n_nodes * n_rows * _VISIT


def seconds_to_solve(table: Table) -> float:
    """Approximately how long a program over groups, and a search, take on two cores until they beat a search alone.

    Every cell must be a node. O(columns).
    """
    n_nodes, n_rows = math.prod(column.recoding.nested.n_levels for column in table.quasi), table.distinct.firsts.size
    return max(_LOOKS * seconds_to_look(n_nodes, n_rows), _ROW * n_rows)


def _levels(column: QuasiColumn, codes: Codes, metric: CellMetric, weight: float) -> list[tuple[Codes, Floats]]:
    """The node of each row, and the cost of each node, for each level that differs from the previous one."""
    found: list[tuple[Codes, Floats]] = []
    for homes, prices in zip(column.recoding.nested.low, metric.level_prices(column), strict=True):
        _, firsts, nodes = np.unique(homes[codes], return_index=True, return_inverse=True)
        ids, costs = nodes.astype(np.int32), np.asarray(prices[codes[firsts]] * weight)
        if not (found and np.array_equal(found[-1][0], ids) and np.array_equal(found[-1][1], costs)):
            found.append((ids, costs))
    return found


def refuse_unnested(table: Table, what: str) -> None:
    """Raise InputError, as said by ``what``, if a column's cells are not nodes of a hierarchy or stars."""
    for column in table.quasi:
        if not column.recoding.closes_to_nodes:
            raise InputError(
                f"{what} needs nested cells, and those of {column.name!r} are {_PLURALS[column.recoding.name]}; "
                "give the column a hierarchy, or recode it by 'suppress'."
            )


def paid(release: Release, metric: CellMetric) -> Floats:
    """What the distinct rows pay in this release, on average over equal ones; suppressed rows pay the maximum."""
    table = release.table
    total = sum(column.weight for column in table.quasi) or 1.0
    paid = np.ones(table.n_rows)
    paid[release.owners] = 0.0
    for column, cells in zip(table.quasi, release.cells, strict=True):
        paid[release.owners] += metric.price(column, cells)[cells.ids][release.shapes] * (column.weight / total)
    return np.asarray(np.bincount(table.distinct.ids, paid) / table.distinct.weights)


def suppressed(table: Table, metric: CellMetric) -> Floats:
    """The least that each distinct row pays if it is suppressed."""
    total = sum(column.weight for column in table.quasi) or 1.0
    paid = np.zeros(table.distinct.firsts.size)
    for column, codes in zip(table.quasi, table.codes[:, table.distinct.firsts], strict=True):
        prices = metric.suppressed_prices(column, metric.level_prices(column))
        paid += prices[0, codes] * (column.weight / total)
    return paid
