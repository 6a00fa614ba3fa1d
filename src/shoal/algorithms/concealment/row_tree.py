"""A table as the concealment steps see it: its distinct rows in a tree, and the ground on which cells grow."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from shoal.algorithms.concealment.cell_prices import Priced, Whole, priced_columns
from shoal.core.arrays import Codes, Floats
from shoal.core.contracts import Metric
from shoal.core.groups import Groups
from shoal.core.table import Table
from shoal.kernels.concealment_ground import KIND, TREE, WIDTH, Ground
from shoal.kernels.fitting import Tree, grow

_MOST_MEETS = 2**20
"""Entries of the largest table of nodes and leaves; beyond, trees are climbed."""


@dataclass(frozen=True, eq=False)
class Field:
    """``types[i]`` is the type of row ``i``: its distinct row, numbered by position in ``tree``.

    ``people[t]`` counts the rows of a type and ``names[t]`` is the first of them. Records are numbered like the rows
    that own them. Row ``i`` is row ``rows[i]`` of the table.
    """

    table: Table
    rows: Whole
    ground: Ground
    tree: Tree
    types: Whole
    people: Whole
    names: Whole

    @classmethod
    def of(cls, table: Table, metric: Metric) -> Field:
        """Lay out a table for a metric. O(rows · columns · log rows)."""
        return cls.on(table, _ground(priced_columns(table, metric)), np.arange(table.n_rows))

    @classmethod
    def on(cls, table: Table, ground: Ground, rows: Whole) -> Field:
        """Some rows of a table (all, or a block) on ground that is laid."""
        distinct = table.distinct
        used, ids = np.unique(distinct.ids[rows], return_inverse=True)
        codes = np.ascontiguousarray(table.codes[:, distinct.firsts[used]])
        tree = grow(codes, int(codes.max(initial=0)) + 1, _scales(ground))
        positions = np.empty(used.size, np.int64)
        positions[tree.order] = np.arange(used.size)
        types = positions[ids]
        names = np.full(used.size, rows.size, np.int64)
        np.minimum.at(names, types, np.arange(rows.size))
        people = np.bincount(types, minlength=used.size).astype(np.int64)
        return cls(table, rows, ground, tree, types, people, names)

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
        """Words that the sets of a record take."""
        return int(self.ground.columns[4, -1])

    @cached_property
    def rows_of(self) -> Groups:
        """The rows of each type."""
        return Groups.from_ids(self.types.astype(np.int32), self.n_types)


def _scales(ground: Ground) -> Floats:
    """How far apart neighbouring leaves of each column are, its ends being 1 apart; 0 for all where all are trees."""
    kinds, widths = ground.columns[KIND, :-1], ground.columns[WIDTH, :-1]
    if (kinds == TREE).all():
        return np.zeros(kinds.size)
    scales: Floats = 1.0 / np.maximum(1, widths - 1)
    return scales


def _ground(columns: list[Priced]) -> Ground:
    """The columns in the arrays of the kernels; one more column at the end says where everything ends."""
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
    return Ground(told, prices, np.ascontiguousarray(np.concatenate([c.nodes for c in columns], axis=1)), meets)


def _meets(columns: list[Priced]) -> tuple[Whole, Codes]:
    """Where the table of the smallest node around a node and a leaf begins for each column, −1 for none; the tables."""
    at, tables, size = np.full(len(columns) + 1, -1, np.int64), [np.zeros(0, np.int32)], 0
    for c, column in enumerate(columns):
        if column.kind == TREE and column.prices.size * column.width <= _MOST_MEETS:
            at[c], size = size, size + column.prices.size * column.width
            tables.append(column.meets().ravel())
    return at, np.concatenate(tables)
