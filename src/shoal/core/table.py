"""The coded table: integers only, and no identifiers; all rows, or only the distinct ones with their counts."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import polars as pl

from shoal.core.arrays import Codes, Floats, Offsets
from shoal.core.domain import Domain
from shoal.core.groups import Groups
from shoal.core.hierarchy import Hierarchy
from shoal.core.notebook_table import html_table
from shoal.core.recoding import Recoding
from shoal.core.tallies import Tallies
from shoal.kernels.distinct import number_rows
from shoal.kernels.grouping import count_distinct


@dataclass(frozen=True, eq=False)
class QuasiColumn:
    """A column that an adversary may know: its domain and its recoding."""

    domain: Domain
    recoding: Recoding
    weight: float = 1.0

    @property
    def name(self) -> str:
        """The column's name."""
        return self.domain.name

    def without_counts(self) -> QuasiColumn:
        """The same column without the number of rows of each value."""
        domain = replace(self.domain, counts=np.zeros_like(self.domain.counts))
        recoding = copy(self.recoding)
        recoding.domain = domain
        return QuasiColumn(domain, recoding, self.weight)


@dataclass(frozen=True, eq=False)
class SensitiveColumn:
    """A column whose values must not be linked to a person: its domain, codes and, if any, hierarchy."""

    domain: Domain
    codes: Codes
    hierarchy: Hierarchy | None = None
    held: ValueHolders | None = None

    @property
    def name(self) -> str:
        """The column's name."""
        return self.domain.name

    @property
    def whole(self) -> int:
        """The number of rows, or of people if ``held`` counts them, that shares of values refer to."""
        return int(self.domain.counts.sum()) if self.held is None else self.held.n_people


@dataclass(frozen=True, eq=False)
class ValueHolders:
    """How many different people of the whole table have each value of a column, and how many people there are."""

    counts: Offsets
    n_people: int


@dataclass(frozen=True, eq=False)
class DistinctRows:
    """The distinct rows of the quasi-identifiers: ``ids`` maps rows to them, ``firsts`` back, ``weights`` counts."""

    ids: Codes
    firsts: Codes
    weights: Offsets

    @classmethod
    def of(cls, codes: Codes, counts: Offsets | None = None) -> DistinctRows:
        """The distinct rows of ``codes[column, row]``, each row counted once or so often. O(rows · columns)."""
        ids, firsts = number_rows(codes)
        return cls(ids, firsts, np.bincount(ids, counts, firsts.size).astype(np.int64))

    @property
    def groups(self) -> Groups:
        """The rows that are equal to each distinct row. O(rows)."""
        return Groups.from_ids(self.ids, self.firsts.size)


@dataclass(frozen=True, eq=False)
class Table:
    """The rows to be published, coded. ``codes[j]`` are the codes of quasi-identifier ``j``.

    ``passengers`` has the sensitive and other columns as they will be published; identifiers are absent. ``order`` is
    the order of all published columns. ``population``, if given, has the same codes for the population the rows were
    sampled from. ``people``, if given, numbers the person of each row from 0; without it every row is a person.
    ``population_people`` does so for the population. ``sample_weights``, if given, is the number of people of the
    population that each row represents; if rows are suppressed and ``adjusts_weights``, the others represent them too.
    """

    quasi: tuple[QuasiColumn, ...]
    codes: Codes
    sensitive: tuple[SensitiveColumn, ...] = ()
    passengers: pl.DataFrame = field(default_factory=pl.DataFrame)
    order: tuple[str, ...] = ()
    population: Codes | None = None
    people: Codes | None = None
    population_people: Codes | None = None
    sample_weights: Floats | None = None
    adjusts_weights: bool = False

    def with_people(self, people: Codes, of_population: Codes | None = None) -> Table:
        """The same table with the person of each row, and the number of people with each sensitive value."""
        n_people = int(people.max(initial=-1)) + 1
        sensitive = tuple(replace(c, held=_held(c, people, n_people)) for c in self.sensitive)
        return replace(self, people=people, sensitive=sensitive, population_people=of_population)

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return int(self.codes.shape[1])

    @property
    def counts_people(self) -> bool:
        """Whether the person of each row is known."""
        return self.people is not None

    @cached_property
    def n_people(self) -> int:
        """Number of different people."""
        return self.n_rows if self.people is None else int(self.people.max(initial=-1)) + 1

    @property
    def n_quasi(self) -> int:
        """Number of quasi-identifiers."""
        return int(self.codes.shape[0])

    @property
    def weights(self) -> Floats:
        """The weight of each quasi-identifier."""
        return np.array([column.weight for column in self.quasi], np.float64)

    @cached_property
    def distinct(self) -> DistinctRows:
        """The distinct rows with their weights. O(rows · columns) once."""
        return DistinctRows.of(self.codes)

    def value_counts(self, column: int) -> Offsets:
        """How many rows have each leaf of a quasi-identifier. O(rows)."""
        return np.bincount(self.codes[column], minlength=self.quasi[column].domain.n_leaves)

    def tallies(self, ids: Codes, n_groups: int, column: SensitiveColumn) -> Tallies:
        """How often each group has each value of a sensitive column; ``ids[i]`` is the group of row ``i``. O(rows)."""
        return self.tally(Groups.from_ids(ids, n_groups), column.codes, column.domain.n_leaves)

    def tally(self, groups: Groups, codes: Codes, n_values: int) -> Tallies:
        """How often each group has each value; ``codes[i]`` is the value of row ``i``. O(members)."""
        return Tallies.of(groups, codes, n_values)

    def _repr_html_(self) -> str:
        """For notebooks: the columns, never the rows."""
        rows = [
            (c.name, "quasi-identifier", c.domain.kind, type(c.recoding).__name__.lower(), f"{c.domain.occurs.sum():,}")
            for c in self.quasi
        ]
        rows += [(c.name, "sensitive", c.domain.kind, "", f"{c.domain.occurs.sum():,}") for c in self.sensitive]
        return html_table(f"{self.n_rows:,} rows", ["column", "role", "kind", "recoding", "values"], rows)


@dataclass(frozen=True, eq=False)
class CountedTable(Table):
    """Row ``i`` represents ``counts[i]`` rows that agree on all quasi-identifiers and sensitive columns.

    Where ``people`` is given, these are rows of one person, and groups consist of the distinct rows held here.
    Full-domain searches use only distinct rows and their weights, so this table can replace the whole one. Do not use
    it where the rows themselves are needed.
    """

    counts: Offsets = field(default_factory=lambda: np.empty(0, np.int64))
    persons: int | None = None
    """The number of different people, if known."""

    @property
    def n_rows(self) -> int:
        """Number of rows represented."""
        return int(self.counts.sum())

    @property
    def counts_people(self) -> bool:
        """Whether the number of people is known."""
        return self.persons is not None

    @property
    def n_people(self) -> int:
        """Number of different people."""
        return self.n_rows if self.persons is None else self.persons

    @cached_property
    def distinct(self) -> DistinctRows:
        """The distinct rows of the quasi-identifiers with their weights."""
        return DistinctRows.of(self.codes, self.counts)

    def value_counts(self, column: int) -> Offsets:
        """How many rows have each leaf of a quasi-identifier."""
        n_leaves = self.quasi[column].domain.n_leaves
        return np.bincount(self.codes[column], self.counts, n_leaves).astype(np.int64)

    def tally(self, groups: Groups, codes: Codes, n_values: int) -> Tallies:
        """How often each group has each value, each row weighted by its count. O(members · log members)."""
        homes = np.repeat(np.arange(len(groups), dtype=np.int64), groups.sizes)
        found, places = np.unique(homes * n_values + codes[groups.members], return_inverse=True)
        counts = np.bincount(places, self.counts[groups.members], found.size).astype(np.int64)
        offsets = np.searchsorted(found // n_values, np.arange(len(groups) + 1)).astype(np.int64)
        return Tallies(offsets, (found % n_values).astype(np.int32), counts)

    def spread(self, most: int) -> Table:
        """Approximate it by a plain table, for code that needs rows; thinned proportionally beyond ``most`` rows."""
        counts = -(-self.counts // max(1, self.n_rows // most))
        return Table(
            self.quasi,
            np.repeat(self.codes, counts, axis=1),
            tuple(replace(column, codes=np.repeat(column.codes, counts)) for column in self.sensitive),
        )


def _held(column: SensitiveColumn, people: Codes, n_people: int) -> ValueHolders:
    """Count the people among the rows with each value. O(rows)."""
    having = Groups.from_ids(column.codes, column.domain.n_leaves)
    return ValueHolders(count_distinct(having.offsets, having.members, people, n_people), n_people)
