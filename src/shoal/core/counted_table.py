"""A table that holds only the distinct rows, each with its number of occurrences."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from shoal.core.arrays import Codes, Offsets
from shoal.core.groups import Groups
from shoal.core.table import DistinctRows, Table
from shoal.core.tallies import Tallies


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
