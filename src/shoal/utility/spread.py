"""A publication as statisticians read it: every cell spread evenly over the values it covers."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl

from shoal.core.arrays import Codes, Floats, Offsets
from shoal.core.cells import Cells
from shoal.core.domain import Domain
from shoal.core.release import Publication
from shoal.core.table import QuasiColumn
from shoal.kernels.distinct import number_rows

MOST = 20
"""Maximum number of bins per column."""


@dataclass(frozen=True, eq=False)
class Spread:
    """Groups of records with equal cells, called *shapes*: ``ids[r]`` is the shape of record ``r``.

    ``people``, if the release shows which records belong to one person, numbers the person of each record from 0.
    O(records · columns) once; every query costs O(shapes) and the leaves of the distinct cells.
    """

    seen: Publication
    people: Codes | None = None

    @cached_property
    def _numbers(self) -> tuple[Codes, Codes]:
        ids, firsts = number_rows(np.array([cells.ids for cells in self.seen.cells], np.int32))
        return ids, firsts

    @property
    def ids(self) -> Codes:
        """The shape of each record."""
        return self._numbers[0]

    @cached_property
    def weights(self) -> Offsets:
        """Number of records of each shape."""
        return np.bincount(self.ids, minlength=self._numbers[1].size).astype(np.int64)

    @property
    def n_records(self) -> int:
        """Number of records."""
        return int(self.ids.size)

    @cached_property
    def cells(self) -> tuple[Cells, ...]:
        """The cells of each column, one per shape."""
        return tuple(cells.take(self._numbers[1]) for cells in self.seen.cells)

    @property
    def quasi(self) -> tuple[QuasiColumn, ...]:
        """The columns."""
        return self.seen.quasi

    def mean(self, column: int, values: Floats) -> Floats:
        """For each shape, the mean of ``values[leaf]`` over its cell's leaves."""
        cells = self.cells[column]
        if cells.offsets is None or cells.members is None:
            before = np.concatenate([[0.0], np.cumsum(values)])
            sums = before[cells.high + 1] - before[cells.low]
        else:
            sums = np.add.reduceat(values[cells.members], cells.offsets[:-1])
        means: Floats = (sums / cells.sizes)[cells.ids]
        return means

    def shares(self, column: int, bins: Codes, n_bins: int) -> Floats:
        """``[shape, bin]``: the share of its cell's leaves in each bin, where ``bins[leaf]`` is the bin of a leaf."""
        cells = self.cells[column]
        shares: Floats = cell_shares(cells, bins, n_bins)[cells.ids]
        return shares

    def moments(self, column: int) -> tuple[Floats, Floats]:
        """For each shape, the mean and the mean square of the positions of its cell's leaves.

        Missing values and labels that are not numbers have no position and are left out.
        """
        cells, places = self.cells[column], points_of(self.quasi[column].domain)
        found = np.zeros((2, cells.n_distinct))
        for cell in range(cells.n_distinct):
            points = places[cells.leaves(cell)]
            points = points[np.isfinite(points)]
            if points.size:
                found[:, cell] = points.mean(), (points**2).mean()
        means, squares = found[:, cells.ids]
        return means, squares

    def totals(self, values: pl.Series) -> Floats:
        """The sum of one number per record over each shape; missing numbers count as 0."""
        numbers = values.cast(pl.Float64).fill_null(0.0).fill_nan(0.0).to_numpy()
        return np.bincount(self.ids, weights=numbers, minlength=self.weights.size).astype(np.float64)


def cell_shares(cells: Cells, bins: Codes, n_bins: int) -> Floats:
    """``[distinct cell, bin]``: the share of its leaves in each bin. O((leaves + members + cells) · bins)."""
    of_leaf = np.zeros((bins.size, n_bins))
    of_leaf[np.arange(bins.size), bins] = 1
    counts: Floats
    if cells.offsets is None or cells.members is None:
        before = np.concatenate([np.zeros((1, n_bins)), np.cumsum(of_leaf, axis=0)])
        counts = before[cells.high + 1] - before[cells.low]
    else:
        counts = np.add.reduceat(of_leaf[cells.members], cells.offsets[:-1], axis=0)
    shares: Floats = counts / cells.sizes[:, None]
    return shares


def bins_of(domain: Domain, most: int = MOST) -> tuple[Codes, int]:
    """The bin of each leaf, and the number of bins: one value each, or runs of values with about equal numbers of rows.

    Runs follow the order of the values if they have one, otherwise that of the domain (or of its hierarchy).
    """
    if domain.n_leaves <= most:
        return np.arange(domain.n_leaves, dtype=np.int32), domain.n_leaves
    order = np.argsort(domain.places, kind="stable") if domain.is_ordered else np.arange(domain.n_leaves)
    before = np.cumsum(domain.counts[order]) - domain.counts[order]
    bins = np.empty(domain.n_leaves, np.int32)
    bins[order] = np.minimum(before * most // max(1, int(domain.counts.sum())), most - 1)
    return bins, most


def points_of(domain: Domain) -> Floats:
    """The position of each leaf; NaN for a missing value."""
    points = domain.points.astype(np.float64)
    if domain.missing is not None:
        points[domain.missing] = np.nan
    return points
