"""The result of an algorithm (Release, with the secret owners) and what is published of it (Publication, without)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, count
from typing import Any

import numpy as np
import polars as pl

from shoal.core.arrays import Codes, Flags
from shoal.core.assignment import hold_matches, match_pools
from shoal.core.cells import Cells
from shoal.core.groups import Groups
from shoal.core.notebook_table import html_table
from shoal.core.parallel_work import side_by_side
from shoal.core.randomness import Randomness
from shoal.core.table import QuasiColumn, Table
from shoal.kernels.distinct import number_rows


@dataclass(frozen=True, eq=False)
class Release:
    """Records with their cells, and the secret owner of each record.

    Record ``r`` has the cells of *shape* ``shapes[r]``: ``cells[j]`` has one cell per shape for quasi-identifier ``j``,
    so that a class of a thousand equal records stores its cells once. ``owners[r]`` is the row the record was made
    from: its values lie inside the cells, and its sensitive and other values are published with them. Rows that own no
    record are suppressed. ``buckets``, if given, is the pool of each record (Anatomy). ``matches``, if given, lists for
    each shape the rows among which the owners of its records were drawn; checks verify it against the cells.
    ``account`` has remarks of the algorithm, as sentences; ``claims`` are its guarantees about this particular release,
    such as how close to optimal it is: see ``Claim``.
    """

    table: Table
    owners: Codes
    shapes: Codes
    cells: tuple[Cells, ...]
    buckets: Codes | None = None
    matches: Groups | None = None
    account: tuple[str, ...] = ()
    claims: tuple[Claim, ...] = ()

    @classmethod
    def from_groups(cls, table: Table, groups: Groups) -> Release:
        """The homogeneous release: the records of each group share the smallest permitted cells. O(rows · columns)."""
        cells = side_by_side(
            lambda column: table.quasi[column].recoding.enclose(groups, table.codes[column]),
            range(table.n_quasi),
            groups.members.size,
        )
        shapes = np.repeat(np.arange(len(groups), dtype=np.int32), groups.sizes)
        return cls(table, groups.members, shapes, tuple(cells))

    @classmethod
    def identity(cls, table: Table) -> Release:
        """The release that publishes every row unchanged."""
        rows = np.arange(table.n_rows, dtype=np.int32)
        cells = tuple(c.recoding.exact(codes) for c, codes in zip(table.quasi, table.codes, strict=True))
        return cls(table, rows, rows, cells)

    @property
    def n_records(self) -> int:
        """Number of published records."""
        return self.owners.size

    @property
    def n_suppressed(self) -> int:
        """Number of rows that are not published."""
        return self.table.n_rows - self.n_records

    @cached_property
    def classes(self) -> Groups:
        """Equivalence classes: rows whose records have equal cells, as k-anonymity judges them.

        Derived from the cells alone, not from the groups of the algorithm. O(records + shapes · columns).
        """
        ids, firsts = number_rows(np.array([c.ids for c in self.cells], np.int32).reshape(len(self.cells), -1))
        return self._as_groups(ids[self.shapes], firsts.size)

    @cached_property
    def pools(self) -> Groups:
        """Rows whose sensitive values an adversary must consider together, as l-diversity judges them.

        The buckets if records have them; the records that may be a row's own if matches are listed; else the classes.
        """
        if self.matches is not None:
            return match_pools(self.matches, self.owners, self.shapes, self.table.n_rows)
        if self.buckets is None:
            return self.classes
        return self._as_groups(self.buckets, int(self.buckets.max(initial=-1)) + 1)

    def _as_groups(self, ids: Codes, n_groups: int) -> Groups:
        groups = Groups.from_ids(ids, n_groups, self.owners)
        if (groups.sizes > 0).all():
            return groups
        kept = np.concatenate([[0], np.cumsum(groups.sizes[groups.sizes > 0])]).astype(np.int64)
        return Groups(kept, groups.members)

    def _repr_html_(self) -> str:
        """For notebooks: the columns and their numbers of cells, never a record with its owner."""
        rows = [
            (column.name, f"{column.domain.occurs.sum():,}", f"{np.unique(cells.ids).size:,}")
            for column, cells in zip(self.table.quasi, self.cells, strict=True)
        ]
        said = f"{self.n_records:,} records in {len(self.classes):,} classes, {self.n_suppressed:,} rows suppressed"
        return html_table(said, ["column", "values", "cells"], rows)

    def truthful(self) -> Flags:
        """Whether each record's cells contain the values of its owner, and of all its listed matches if any."""
        inside = np.ones(self.n_records, bool)
        if self.matches is not None:
            inside = hold_matches(self.table.codes, self.matches, self.cells)[self.shapes]

        def holds(column: int) -> Flags:
            return self.cells[column].take(self.shapes).cover(self.table.codes[column, self.owners])

        for covered in side_by_side(holds, range(len(self.cells)), self.n_records):
            inside &= covered
        return inside


@dataclass(frozen=True)
class ClaimVerdict:
    """Whether a claim holds, and the result: as text, and as ``figures`` for programs."""

    claim: str
    holds: bool
    came_to: str
    figures: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.claim}: {self.came_to}" if self.holds else f"{self.claim} DOES NOT HOLD: {self.came_to}"


class Claim(ABC):
    """A guarantee that an algorithm gives of its own accord, besides the requested privacy models.

    Algorithms make claims, other code checks them: before anything is written, the engine checks every claim against
    the printed table. A false claim is a bug in the algorithm.
    """

    @abstractmethod
    def check(self, release: Release, printed: pl.DataFrame) -> ClaimVerdict:
        """Judge a release by its records as ``printed``, and by its original table if the claim compares with that."""


@dataclass(frozen=True, eq=False)
class Publication:
    """What is published: cells and other values of the records, shuffled, without owners or the original table.

    ``cells[j].ids`` has one entry per record, and only cells in use are kept. ``sensitive`` names columns of
    ``passengers``. If records have ``buckets``, the sensitive values are those of the bucket in random order, and
    ``order`` names the bucket column instead of the sensitive ones. If ``pools_are_classes``, outsiders can see the
    pools: they are the records with equal cells.
    """

    quasi: tuple[QuasiColumn, ...]
    cells: tuple[Cells, ...]
    passengers: pl.DataFrame
    order: tuple[str, ...]
    sensitive: tuple[str, ...] = ()
    buckets: Codes | None = None
    pools_are_classes: bool = True

    @property
    def n_records(self) -> int:
        """Number of records."""
        return len(self.cells[0])


def publish(release: Release, randomness: Randomness, order: Codes | None = None) -> Publication:
    """Drop the owners, shuffle the records, keep only cells in use. O(records · columns).

    ``order`` is the result of ``published_order``, if already drawn.
    """
    table = release.table
    shuffled = published_order(release, randomness) if order is None else order
    shapes = release.shapes[shuffled]
    if release.buckets is not None:
        return _publish_buckets(release, shuffled, randomness.child("buckets"))
    return Publication(
        quasi=tuple(column.without_counts() for column in table.quasi),
        cells=tuple(side_by_side(lambda cells: cells.take(shapes).compact(), release.cells, shapes.size)),
        passengers=table.passengers[release.owners[shuffled]] if table.passengers.width else table.passengers,
        order=table.order,
        sensitive=tuple(column.name for column in table.sensitive),
        pools_are_classes=release.matches is None,
    )


def published_order(release: Release, randomness: Randomness) -> Codes:
    """The records in their published order, the first thing ``publish`` draws. As secret as the owners."""
    return randomness.permutation(release.n_records)


def _publish_buckets(release: Release, shuffled: Codes, randomness: Randomness) -> Publication:
    """Publish with the sensitive values of each bucket in random order, and buckets numbered by first appearance."""
    assert release.buckets is not None
    table, names = release.table, tuple(column.name for column in release.table.sensitive)
    _, firsts, numbers = np.unique(release.buckets[shuffled], return_index=True, return_inverse=True)
    buckets = np.argsort(np.argsort(firsts))[numbers].astype(np.int32)
    mixed = np.empty(shuffled.size, np.int64)
    mixed[np.argsort(buckets, kind="stable")] = np.lexsort((randomness.permutation(shuffled.size), buckets))
    passengers = table.passengers[release.owners[shuffled]]
    kept = tuple(name for name in table.order if name not in names)
    return Publication(
        quasi=tuple(column.without_counts() for column in table.quasi),
        cells=tuple(cells.take(release.shapes[shuffled]).compact() for cells in release.cells),
        passengers=passengers.with_columns(passengers[mixed].select(names)),
        order=(*kept, free_name("bucket", table.order)),
        sensitive=names,
        buckets=buckets,
        pools_are_classes=False,
    )


def free_name(wanted: str, taken: Sequence[str]) -> str:
    """The wanted name, with a number appended if it is taken.

    >>> free_name("bucket", ["bucket", "age"])
    'bucket 2'
    """
    names = chain([wanted], (f"{wanted} {number}" for number in count(2)))
    return next(name for name in names if name not in taken)
