"""Published cells: sets of leaves, each distinct one stored once."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

import numpy as np
import polars as pl

from shoal.core.arrays import Codes, Flags, Offsets
from shoal.core.groups import Groups
from shoal.kernels.distinct import number_lists, number_rows
from shoal.kernels.grouping import sets_of

SMALL = 100_000
"""Up to this many members numpy is fast enough, and two kernels need not be compiled."""


@dataclass(frozen=True, eq=False)
class Cells:
    """The cells of one column: ``ids[i]`` is the number of the i-th cell among the distinct cells.

    Distinct cell ``c`` is the interval ``[low[c], high[c]]`` of leaves. Where the column is recoded to exact
    sets, ``members[offsets[c]:offsets[c + 1]]`` lists its leaves and ``low``, ``high`` are the outermost two;
    otherwise both are None. ``levels[c]`` is the hierarchy level whose label is printed, where the algorithm chooses
    one; None means the lowest level that has the node. ``printed[c]`` is printed instead of a label where a group is
    published as an aggregate of its values; cells printed differently then count as different. Equal cells have equal
    ids, and the numbering follows the content, so ids reveal nothing about the order of rows.
    """

    ids: Codes
    low: Codes
    high: Codes
    levels: Codes | None = None
    offsets: Offsets | None = None
    members: Codes | None = None
    printed: pl.Series | None = None

    @classmethod
    def of_intervals(cls, low: Codes, high: Codes, levels: Codes | None = None) -> Cells:
        """Cells from one interval each, and optionally the level to print it by. O(n log n) at worst."""
        columns = [low, high] if levels is None else [low, high, levels]
        ids, keys = _number(np.array(columns, np.int32))
        return cls(ids, keys[0], keys[1], None if levels is None else keys[2])

    @classmethod
    def of_sets(cls, groups: Groups, codes: Codes, n_leaves: int) -> Cells:
        """The exact set of the codes of each (non-empty) group. O(members) expected."""
        is_small = groups.members.size <= SMALL
        offsets, members = (_sets if is_small else sets_of)(groups.offsets, groups.members, codes, n_leaves)
        raw, firsts = (_numbered if is_small else number_lists)(offsets, members)
        order = _by_content(offsets, members, firsts)
        rank = np.empty(order.size, np.int32)
        rank[order] = np.arange(order.size, dtype=np.int32)
        sets = Groups(offsets, members).take(firsts[order])
        low, high = sets.members[sets.offsets[:-1]], sets.members[sets.offsets[1:] - 1]
        return cls(rank[raw], low, high, None, sets.offsets, sets.members)

    def __len__(self) -> int:
        return self.ids.size

    @property
    def n_distinct(self) -> int:
        """Number of distinct cells."""
        return self.low.size

    @property
    def are_sets(self) -> bool:
        """Whether cells are exact sets rather than intervals."""
        return self.offsets is not None

    @cached_property
    def sizes(self) -> Offsets:
        """Number of leaves in each distinct cell."""
        if self.offsets is None:
            return (self.high - self.low + 1).astype(np.int64)
        return np.diff(self.offsets)

    def level(self, cell: int) -> int:
        """The level to print distinct cell ``cell`` by; -1 if it has none."""
        return -1 if self.levels is None else int(self.levels[cell])

    def leaves(self, cell: int) -> Codes:
        """The leaves of distinct cell ``cell``, ascending."""
        if self.offsets is None or self.members is None:
            return np.arange(self.low[cell], self.high[cell] + 1, dtype=np.int32)
        return self.members[self.offsets[cell] : self.offsets[cell + 1]]

    def as_groups(self) -> Groups:
        """The leaves of the cell at each position, as lists."""
        lists = [self.leaves(c) for c in range(self.n_distinct)]
        sizes = self.sizes[self.ids]
        offsets = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        return Groups(offsets, np.concatenate([lists[c] for c in self.ids] or [np.empty(0, np.int32)]))

    def cover(self, codes: Codes) -> Flags:
        """Whether the i-th cell contains the i-th code. O(n log members)."""
        if self.offsets is None or self.members is None:
            return (self.low[self.ids] <= codes) & (codes <= self.high[self.ids])
        span = np.int64(max(int(self.high.max(initial=0)), int(codes.max(initial=0))) + 1)
        known = np.repeat(np.arange(self.n_distinct), self.sizes) * span + self.members
        wanted = self.ids * span + codes
        found = np.searchsorted(known, wanted)
        return np.asarray(known[np.minimum(found, known.size - 1)] == wanted)

    def take(self, which: Codes) -> Cells:
        """The cells at these positions; unused distinct cells are kept."""
        return replace(self, ids=self.ids[which])

    def printed_as(self, values: pl.Series) -> Cells:
        """One distinct cell per position, printed as the given value."""
        leaves = self.as_groups() if self.are_sets else None
        return Cells(
            ids=np.arange(len(self), dtype=np.int32),
            low=self.low[self.ids],
            high=self.high[self.ids],
            offsets=leaves.offsets if leaves else None,
            members=leaves.members if leaves else None,
            printed=values,
        )

    def compact(self) -> Cells:
        """The same cells without distinct cells that no position uses."""
        used = np.zeros(self.n_distinct, bool)
        used[self.ids] = True
        if used.all():
            return self
        kept = np.flatnonzero(used)
        ids = (np.cumsum(used) - 1).astype(np.int32)[self.ids]
        levels = None if self.levels is None else self.levels[kept]
        printed = None if self.printed is None else self.printed.gather(kept)
        if self.offsets is None or self.members is None:
            return Cells(ids, self.low[kept], self.high[kept], levels, printed=printed)
        sets = Groups(self.offsets, self.members).take(kept)
        return Cells(ids, self.low[kept], self.high[kept], levels, sets.offsets, sets.members, printed)


def _by_content(offsets: Offsets, members: Codes, which: Codes) -> Codes:
    """Sort these lists by their members; the bytes of big-endian numbers compare like the numbers."""
    raw, bounds = members.astype(">u4").tobytes(), (4 * offsets).tolist()
    texts = [raw[bounds[i] : bounds[i + 1]] for i in which.tolist()]
    return np.array(sorted(range(len(texts)), key=texts.__getitem__), np.int32)


def _sets(offsets: Offsets, members: Codes, codes: Codes, n_leaves: int) -> tuple[Offsets, Codes]:
    """Same result as the kernel ``sets_of``, in numpy."""
    groups = np.arange(offsets.size, dtype=np.int64)
    keys = np.unique(np.repeat(groups[:-1], np.diff(offsets)) * n_leaves + codes[members])
    return np.searchsorted(keys, groups * n_leaves).astype(np.int64), (keys % n_leaves).astype(np.int32)


def _numbered(offsets: Offsets, members: Codes) -> tuple[Codes, Codes]:
    """Same result as the kernel ``number_lists``, in Python."""
    known: dict[bytes, int] = {}
    lists = (members[start:stop].tobytes() for start, stop in pairwise(offsets.tolist()))
    ids = np.array([known.setdefault(each, len(known)) for each in lists], np.int32)
    return ids, np.unique(ids, return_index=True)[1].astype(np.int32)


def _number(columns: Codes) -> tuple[Codes, Codes]:
    """Number distinct columns of a ``[key, i]`` matrix by content; return the numbers and the distinct keys."""
    raw, firsts = number_rows(np.ascontiguousarray(columns, np.int32))
    keys = columns[:, firsts]
    order = np.lexsort(keys[::-1])
    rank = np.empty(order.size, np.int32)
    rank[order] = np.arange(order.size, dtype=np.int32)
    return rank[raw], keys[:, order]
