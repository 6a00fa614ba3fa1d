"""Records under construction, and the release made from them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from shoal.algorithms.concealment.row_tree import RowTree
from shoal.core.arrays import Codes, Whole, Words64
from shoal.core.cells import Cells
from shoal.core.groups import Groups
from shoal.core.release import Release
from shoal.core.table import QuasiColumn
from shoal.core.tariff import UNIT
from shoal.kernels.assignment_graph import expand
from shoal.kernels.concealment_query import list_inside
from shoal.kernels.concealment_records import Records, costs, enclose
from shoal.kernels.distinct import number_rows
from shoal.kernels.tariff import WORD


@dataclass(frozen=True, eq=False)
class Draft:
    """One record for each row of a ``RowTree``; record ``i`` belongs to row ``i`` and holds it."""

    field: RowTree
    records: Records

    @classmethod
    def of_groups(cls, field: RowTree, groups: Groups) -> Draft:
        """Give the rows of each group the smallest cells around them. O(rows · columns)."""
        draft = cls(field, empty(field, field.n_rows))
        enclose(field.tariff, field.codes, field.types, groups.offsets, groups.members, draft.records)
        return draft

    @classmethod
    def of_types(cls, field: RowTree, records: Records) -> Draft:
        """Build a draft from one record per type, shared by all its rows."""
        return cls(field, Records(*(np.ascontiguousarray(part[field.types]) for part in records)))

    def copy(self) -> Draft:
        """A copy that can be changed."""
        return replace(self, records=Records(*(part.copy() for part in self.records)))

    def costs(self) -> Whole:
        """The price of each record."""
        found: Whole = costs(self.field.tariff, self.records)
        return found

    @property
    def loss(self) -> float:
        """The mean price; a fully suppressed record costs 1."""
        return float(self.costs().mean() / UNIT)

    def classes(self) -> Codes:
        """The class of each record; records with equal cells are in the same class."""
        return _numbered(self.records)[0]

    def shapes(self) -> Shapes:
        """The distinct records and the types inside each of them."""
        return Shapes.of(self.field, self.records)

    def inside(self) -> Groups:
        """The types inside each record."""
        return self.shapes().expanded()

    def release(self) -> Release:
        """The release, listing the rows inside each record as its matches. O(rows that fit)."""
        field, shapes = self.field, self.shapes()
        owners, rows, inside = field.rows.astype(np.int32), field.rows_of, shapes.inside
        matches = Groups(*expand(inside.offsets, inside.members, rows.offsets, owners[rows.members]))
        low, high, _, words = (np.ascontiguousarray(part[shapes.firsts].T) for part in self.records)
        words_at = pairwise(field.tariff.planes[WORD].tolist())
        cells = (
            _cells(column, low[c], high[c], words[start:stop].T)
            for c, (column, (start, stop)) in enumerate(zip(field.table.quasi, words_at, strict=True))
        )
        return Release(field.table, owners, shapes.ids, tuple(cells), matches=matches)


@dataclass(frozen=True, eq=False)
class Shapes:
    """Record ``j`` has the cells of shape ``ids[j]``, the same as those of record ``firsts[ids[j]]``."""

    ids: Codes
    firsts: Codes
    inside: Groups

    @classmethod
    def of(cls, field: RowTree, records: Records) -> Shapes:
        """Find equal records. O(records · columns + rows that fit)."""
        ids, firsts = _numbered(records)
        distinct = Records(*(np.ascontiguousarray(part[firsts]) for part in records))
        return cls(ids, firsts, Groups(*list_inside(field.tree, field.tariff, distinct)))

    def expanded(self) -> Groups:
        """The types inside each record."""
        one_each = np.arange(self.ids.size + 1)
        return Groups(*expand(one_each, self.ids, self.inside.offsets, self.inside.members))


def _numbered(records: Records) -> tuple[Codes, Codes]:
    """The number of each record, the same for equal ones, and the first record of each number. O(records · columns)."""
    words = records.words.view(np.int32).reshape(records.low.shape[0], -1)
    ids, firsts = number_rows(np.ascontiguousarray(np.hstack([records.low, records.high, words]).T))
    return ids, firsts


def empty(field: RowTree, n: int) -> Records:
    """Allocate ``n`` records."""
    d = field.codes.shape[1]
    low, high, node = (np.zeros((n, d), np.int32) for _ in range(3))
    return Records(low, high, node, np.zeros((n, field.n_words), np.uint64))


def _cells(column: QuasiColumn, low: Codes, high: Codes, words: Words64) -> Cells:
    """The cells of records in one column; sets are given as bits of words."""
    if not column.recoding.makes_sets:
        return Cells.of_intervals(low, high)
    n = column.domain.n_leaves
    bits = np.unpackbits(np.ascontiguousarray(words).view(np.uint8), axis=1, bitorder="little")[:, :n]
    offsets = np.concatenate([[0], np.cumsum(bits.sum(axis=1, dtype=np.int64))])
    return Cells.of_sets(Groups(offsets, np.nonzero(bits)[1].astype(np.int32)), np.arange(n, dtype=np.int32), n)
