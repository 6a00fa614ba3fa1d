"""A table as the concealment steps see it: its distinct rows in a tree, and the tariff by which cells are priced."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from shoal.core.arrays import Codes, Floats, Whole
from shoal.core.contracts import Metric, PriceMetric
from shoal.core.groups import Groups
from shoal.core.table import Table
from shoal.core.tariff import tariff_of
from shoal.errors import InputError
from shoal.kernels.concealment_query import Field
from shoal.kernels.fitting import Tree, grow
from shoal.kernels.planes import CLIMB, KIND, WIDTH
from shoal.kernels.tariff import WORD, Tariff


@dataclass(frozen=True, eq=False)
class RowTree:
    """``types[i]`` is the type of row ``i``: its distinct row, numbered by position in ``tree``.

    ``people[t]`` counts the rows of a type and ``names[t]`` is the first of them. Records are numbered like the rows
    that own them. Row ``i`` is row ``rows[i]`` of the table.
    """

    table: Table
    rows: Whole
    tariff: Tariff
    tree: Tree
    types: Whole
    people: Whole
    names: Whole

    @classmethod
    def of(cls, table: Table, metric: Metric) -> RowTree:
        """Lay out a table for a metric. O(rows · columns · log rows)."""
        return cls.on(table, _priced(table, metric), np.arange(table.n_rows))

    @classmethod
    def on(cls, table: Table, tariff: Tariff, rows: Whole) -> RowTree:
        """Some rows of a table (all, or a block) with an existing tariff."""
        distinct = table.distinct
        used, ids = np.unique(distinct.ids[rows], return_inverse=True)
        codes = np.ascontiguousarray(table.codes[:, distinct.firsts[used]])
        tree = grow(codes, int(codes.max(initial=0)) + 1, _scales(tariff))
        positions = np.empty(used.size, np.int64)
        positions[tree.order] = np.arange(used.size)
        types = positions[ids]
        names = np.full(used.size, rows.size, np.int64)
        np.minimum.at(names, types, np.arange(rows.size))
        people = np.bincount(types, minlength=used.size).astype(np.int64)
        return cls(table, rows, tariff, tree, types, people, names)

    @property
    def n_rows(self) -> int:
        """Number of rows, and of records."""
        return self.types.size

    @property
    def n_types(self) -> int:
        """Number of distinct rows."""
        return self.people.size

    @property
    def codes(self) -> Codes:
        """``codes[type, column]``."""
        return self.tree.codes

    @property
    def n_words(self) -> int:
        """The number of words that the sets of a record need."""
        return int(self.tariff.planes[WORD, -1])

    @cached_property
    def rows_of(self) -> Groups:
        """The rows of each type."""
        return Groups.from_ids(self.types.astype(np.int32), self.n_types)

    @cached_property
    def for_kernels(self) -> Field:
        """What the kernels take."""
        rows = self.rows_of
        return Field(self.tree, self.tariff, self.people, self.names, self.types, rows.offsets, rows.members)


def _scales(tariff: Tariff) -> Floats:
    """The distance between neighbouring leaves of each column, its ends being 1 apart; all 0 if all are trees."""
    kinds, widths = tariff.planes[KIND, :-1], tariff.planes[WIDTH, :-1]
    if (kinds <= CLIMB).all():
        return np.zeros(kinds.size)
    scales: Floats = 1.0 / np.maximum(1, widths - 1)
    return scales


def _priced(table: Table, metric: Metric) -> Tariff:
    """The prices of cells, each column weighted by its share of the loss.

    Raises:
        InputError: the metric is not a sum over cells, or cannot price cells of some column here.
    """
    if not isinstance(metric, PriceMetric):
        raise InputError(f"The algorithm 'concealment' needs a cell-based metric such as lm, not {metric.name!r}.")
    units = np.eye(table.n_quasi)
    shares = np.array([float(metric.combine(unit, table)) for unit in units])
    if not np.allclose(metric.combine(units.sum(axis=0), table), shares.sum()):
        raise InputError(f"The algorithm 'concealment' needs a metric that adds up over columns, not {metric.name!r}.")
    return tariff_of(table, metric, shares)
