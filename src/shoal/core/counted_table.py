"""A table of which only the distinct rows are at hand, each with the number of rows that it stands for."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from shoal.core.arrays import Codes, Offsets
from shoal.core.groups import Groups
from shoal.core.table import DistinctRows, Table
from shoal.core.tallies import Tallies
from shoal.kernels.distinct import number_rows


@dataclass(frozen=True, eq=False)
class CountedTable(Table):
    """Row ``i`` stands for ``counts[i]`` rows that agree on all quasi-identifiers and sensitive columns.

    Where ``people`` is given, these are rows of one person, and groups of rows are of those at hand.

    Full-domain searches look at distinct rows and their weights only, so they take this for the whole table. What
    needs the rows themselves must not be asked about it.
    """

    counts: Offsets = field(default_factory=lambda: np.empty(0, np.int64))
    persons: int | None = None
    """How many different people the rows are of, where that is known."""

    @property
    def n_rows(self) -> int:
        """Number of rows that it stands for."""
        return int(self.counts.sum())

    @property
    def counts_people(self) -> bool:
        """Whether it is known how many people there are."""
        return self.persons is not None

    @property
    def n_people(self) -> int:
        """Number of different people."""
        return self.n_rows if self.persons is None else self.persons

    @cached_property
    def distinct(self) -> DistinctRows:
        """The distinct rows of the quasi-identifiers with their weights."""
        ids, firsts = number_rows(self.codes)
        return DistinctRows(ids, firsts, np.bincount(ids, self.counts, firsts.size).astype(np.int64))

    def value_counts(self, column: int) -> Offsets:
        """How many rows have each leaf of a quasi-identifier."""
        n_leaves = self.quasi[column].domain.n_leaves
        return np.bincount(self.codes[column], self.counts, n_leaves).astype(np.int64)

    def tally(self, groups: Groups, codes: Codes, n_values: int) -> Tallies:
        """How often each group has each value, each row as often as it stands for one. O(members · log members)."""
        homes = np.repeat(np.arange(len(groups), dtype=np.int64), groups.sizes)
        found, places = np.unique(homes * n_values + codes[groups.members], return_inverse=True)
        counts = np.bincount(places, self.counts[groups.members], found.size).astype(np.int64)
        offsets = np.searchsorted(found // n_values, np.arange(len(groups) + 1)).astype(np.int64)
        return Tallies(offsets, (found % n_values).astype(np.int32), counts)

    def spread(self, most: int) -> Table:
        """About the same as a table of rows, for whoever wants to see some; fewer, in proportion, beyond ``most``."""
        counts = -(-self.counts // max(1, self.n_rows // most))
        return Table(
            self.quasi,
            np.repeat(self.codes, counts, axis=1),
            tuple(replace(column, codes=np.repeat(column.codes, counts)) for column in self.sensitive),
        )
