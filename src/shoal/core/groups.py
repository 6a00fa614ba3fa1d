"""Groups of rows, which may overlap."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from shoal.core.arrays import Codes, Offsets
from shoal.kernels.grouping import members_of


@dataclass(frozen=True, eq=False)
class Groups:
    """Lists of rows: group ``g`` is ``members[offsets[g]:offsets[g + 1]]``.

    A row may be in several groups (the match sets of non-homogeneous releases) or in none.

    >>> groups = Groups.from_ids(np.array([0, 1, 0], np.int32), 2)
    >>> groups.sizes.tolist(), groups.of(0).tolist()
    ([2, 1], [0, 2])
    """

    offsets: Offsets
    members: Codes

    @classmethod
    def from_ids(cls, ids: Codes, n_groups: int) -> Groups:
        """The partition in which row ``i`` is in group ``ids[i]``. O(rows)."""
        return cls(*members_of(np.ascontiguousarray(ids, np.int32), n_groups))

    @classmethod
    def whole(cls, n_rows: int) -> Groups:
        """One group of all rows."""
        return cls(np.array([0, n_rows], np.int64), np.arange(n_rows, dtype=np.int32))

    @classmethod
    def concatenated(cls, parts: Sequence[Groups]) -> Groups:
        """The groups of all parts, one after the other."""
        starts = np.cumsum([0, *(part.members.size for part in parts)])
        ends = [part.offsets[1:] + start for part, start in zip(parts, starts, strict=False)]
        members = np.concatenate([np.empty(0, np.int32), *(part.members for part in parts)])
        return cls(np.concatenate([np.zeros(1, np.int64), *ends]), members)

    def __len__(self) -> int:
        return self.offsets.size - 1

    @property
    def sizes(self) -> Offsets:
        """Number of members of each group."""
        return np.diff(self.offsets)

    def of(self, group: int) -> Codes:
        """The members of one group."""
        return self.members[self.offsets[group] : self.offsets[group + 1]]

    def take(self, which: Codes) -> Groups:
        """These groups, in this order. O(their members)."""
        sizes = self.sizes[which]
        offsets = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        picks = np.repeat(self.offsets[which] - offsets[:-1], sizes) + np.arange(offsets[-1])
        return Groups(offsets, self.members[picks])

    def ids(self, n_rows: int) -> Codes:
        """The group of each row, −1 where it is in none; for partitions only."""
        ids = np.full(n_rows, -1, np.int32)
        ids[self.members] = np.repeat(np.arange(len(self), dtype=np.int32), self.sizes)
        return ids


@dataclass(frozen=True, eq=False)
class GroupCounts:
    """The number of records and of people in each group; the same where it is unknown whose records they are."""

    records: Offsets
    people: Offsets


CountGroups = Callable[[Sequence[int]], GroupCounts]
"""Counts the records that agree on some quasi-identifiers, given by position, wherever the records are stored."""
