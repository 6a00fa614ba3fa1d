"""A table as the kernels see it: the distinct rows' cells in every plane, and the prices of all cells."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

import numpy as np

from shoal.algorithms.clustering.planes import SMALL, RowPlane, planes_of, table
from shoal.algorithms.clustering.threads import shared
from shoal.core.arrays import Whole
from shoal.core.contracts import CellMetric, Metric
from shoal.core.groups import Groups
from shoal.core.planes import laid
from shoal.core.priced_column import PricedColumn
from shoal.core.table import Table
from shoal.kernels.clustering_space import Space, closures
from shoal.kernels.distinct import number_rows
from shoal.kernels.planes import TABLE
from shoal.metrics.lm import LM

UNIT = 2**30 - 2**12
"""The price of a suppressed row, in the integers that kernels add up."""

_SAMPLED = 4096

_MANY = 10_000
"""With more rows than this, cells around groups are worked out on several cores."""


@dataclass(frozen=True, eq=False)
class Coding:
    """The planes of a table, and the cells of its distinct rows in them; ``row[i]`` is the distinct row of row ``i``.

    Planes on which two random rows are most expensive to join come first. Rows with equal ``colours`` have equal
    sensitive values and, if people are known, belong to the same person, so it makes no difference to any promise which
    of them is in a group. A suppressed row costs ``lost``.
    """

    space: Space
    cells: Whole
    row: Whole
    colours: Whole
    lost: int = UNIT
    _last: list[Any] = field(default_factory=list, repr=False)

    @classmethod
    def of(cls, table: Table, metric: Metric) -> Coding:
        """Code a table for a metric; a metric that is not a mean over cells is replaced by LM. O(rows · columns)."""
        priced = metric if isinstance(metric, CellMetric) else LM()
        unit = UNIT / (sum(column.weight for column in table.quasi) or 1.0)
        firsts = table.distinct.firsts
        planes = [
            plane
            for column, codes in zip(table.quasi, table.codes[:, firsts], strict=True)
            for plane in planes_of(PricedColumn(column, priced, column.weight * unit), codes)
        ]
        coding = cls._assembled(_telling_first(fused(planes)), table.distinct.ids.astype(np.int64), _colours(table))
        return replace(coding, lost=round(UNIT * _lost(table, priced)))

    @classmethod
    def _assembled(cls, planes: list[RowPlane], row: Whole, colours: Whole) -> Coding:
        space = Space(*laid([one.plane for one in planes], 2, np.int32), sum(one.base for one in planes))
        return cls(space, np.array([one.cells for one in planes], np.int64), row, colours)

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return self.row.size

    def closed(self, groups: Groups) -> tuple[Whole, Whole]:
        """The smallest cells around each group, and their prices; the result for the last groups is cached."""
        if self._last[:1] != [groups]:
            found = closed_in_parallel(self.space, self.cells, groups.offsets, self.row[groups.members])
            self._last[:] = [groups, *found]
        _, cells, prices = self._last
        return cells, prices

    def cost(self, groups: Groups) -> int:
        """The sum over rows of the price of their group's cells."""
        return int(np.dot(self.closed(groups)[1], groups.sizes))

    def loss(self, groups: Groups) -> int:
        """The cost, with rows in no group at the price of a suppressed row."""
        return self.cost(groups) + self.lost * (self.n_rows - groups.members.size)


def closed_in_parallel(space: Space, cells: Whole, offsets: Whole, rows: Whole) -> tuple[Whole, Whole]:
    """What the kernel ``closures`` returns, worked out on all cores if there are many rows."""
    n_groups = offsets.size - 1
    n_parts = min(n_groups, os.cpu_count() or 1) if rows.size > _MANY else 1
    borders = np.linspace(0, n_groups, n_parts + 1).astype(int)

    def some(part: tuple[int, int]) -> tuple[Whole, Whole]:
        here = offsets[part[0] : part[1] + 1]
        closed, prices = closures(space, cells, here - here[0], rows[here[0] : here[-1]])
        return closed, prices

    found = shared(some, pairwise(borders.tolist()))
    return np.concatenate([closed for closed, _ in found], axis=1), np.concatenate([prices for _, prices in found])


def _lost(table: Table, metric: CellMetric) -> float:
    """The least that a suppressed row pays, as a share: 1 unless the metric gives suppression a lower price."""
    total = sum(column.weight for column in table.quasi)
    if not total:
        return 1.0
    least = (
        column.weight * metric.suppressed_prices(column, metric.level_prices(column))[0].min() for column in table.quasi
    )
    return float(sum(least)) / total


def _colours(table: Table) -> Whole:
    """A number for each combination of sensitive values and person; all 0 if the table has neither."""
    told = [column.codes for column in table.sensitive] + ([] if table.people is None else [table.people])
    if not told:
        return np.zeros(table.n_rows, np.int64)
    colours, _ = number_rows(np.array(told, np.int32))
    return np.asarray(colours, np.int64)


def _telling_first(planes: list[RowPlane]) -> list[RowPlane]:
    """Sort planes by the average price of joining two rows, over sampled pairs that are far apart in the table."""
    n = planes[0].cells.size
    one = np.linspace(0, n - 1, min(n, _SAMPLED)).astype(np.int64)
    other = one[(np.arange(one.size) * 7919 + one.size // 2) % one.size]

    def told(plane: RowPlane) -> float:
        lone = Coding._assembled([plane], one, one)
        pairs = np.stack([one, other], axis=1).ravel()
        _, prices = closures(lone.space, lone.cells, np.arange(0, pairs.size + 1, 2), pairs)
        return float(prices.mean())

    return sorted(planes, key=lambda plane: -told(plane))


def fused(planes: Iterable[RowPlane]) -> list[RowPlane]:
    """Fuse small table planes, largest first, each into the first plane with room for it; others stay unchanged."""
    done: list[RowPlane] = []
    for one in sorted(planes, key=lambda one: -one.plane.width):
        for at, other in enumerate(done):
            if one.plane.kind == other.plane.kind == TABLE and one.plane.width * other.plane.width <= SMALL:
                done[at] = _product(other, one)
                break
        else:
            done.append(one)
    return done


def _product(one: RowPlane, other: RowPlane) -> RowPlane:
    """The plane whose nodes are pairs of nodes of two planes."""
    n, m = one.plane.width, other.plane.width
    pairs = one.plane.joins.reshape(n, 1, n, 1) * m + other.plane.joins.reshape(1, m, 1, m)
    prices = one.plane.prices[:: n + 1][:, None] + other.plane.prices[:: m + 1]
    return table(pairs.reshape(n * m, n * m), prices.ravel(), one.cells * m + other.cells)
