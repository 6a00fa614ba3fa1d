"""How often each value occurs in each group."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from shoal.core.arrays import Codes, Floats, Offsets
from shoal.core.groups import Groups
from shoal.kernels.histograms import tally


@dataclass(frozen=True, eq=False)
class Tallies:
    """Group ``g`` has ``values[i]`` exactly ``counts[i]`` times, for ``i`` in ``offsets[g] … offsets[g + 1] − 1``.

    Each value is listed once per group, in ascending order. If ``people`` are counted, ``counts`` are the people of a
    group who have a value and ``people[g]`` is the number of people in it, which is less than the sum of the counts if
    some have several values.

    >>> tallies = Tallies.of(Groups.whole(3), np.array([2, 0, 2], np.int32), 3)
    >>> tallies.values.tolist(), tallies.counts.tolist()
    ([0, 2], [1, 2])
    """

    offsets: Offsets
    values: Codes
    counts: Offsets
    people: Offsets | None = None

    @classmethod
    def of(cls, groups: Groups, codes: Codes, n_values: int) -> Tallies:
        """Count the codes of the members of each group. O(members · log of the most values in a group)."""
        return cls(*tally(groups.offsets, groups.members, codes, n_values))

    @classmethod
    def of_ids(cls, ids: Codes | Offsets, codes: Codes, n_values: int, n_groups: int | None = None) -> Tallies:
        """The same for a partition with row ``i`` in group ``ids[i]``; without a kernel. O(rows · log rows)."""
        n_groups = int(ids.max(initial=-1)) + 1 if n_groups is None else n_groups
        keys, counts = np.unique(ids * np.int64(n_values) + codes, return_counts=True)
        offsets = np.searchsorted(keys, np.arange(n_groups + 1) * np.int64(n_values)).astype(np.int64)
        return cls(offsets, (keys % n_values).astype(np.int32), counts.astype(np.int64))

    def __len__(self) -> int:
        return self.offsets.size - 1

    @cached_property
    def owners(self) -> npt.NDArray[np.intp]:
        """The group of each entry."""
        return np.repeat(np.arange(len(self)), np.diff(self.offsets))

    @cached_property
    def sizes(self) -> Floats:
        """Number of members of each group, or of its people if they are counted."""
        return self.summed(self.counts) if self.people is None else self.people.astype(np.float64)

    @cached_property
    def shares(self) -> Floats:
        """The share of the group that has the entry's value."""
        return self.counts / self.sizes[self.owners]

    def summed(self, terms: npt.NDArray[np.number]) -> Floats:
        """The sum of one term per entry over each group."""
        return np.bincount(self.owners, weights=terms, minlength=len(self)).astype(np.float64)

    def largest(self, terms: npt.NDArray[np.number]) -> Floats:
        """The largest of one term per entry in each group, at least 0."""
        most = np.zeros(len(self))
        filled = np.flatnonzero(np.diff(self.offsets))
        if filled.size:
            most[filled] = np.maximum(np.maximum.reduceat(terms, self.offsets[filled]), 0.0)
        return most
