"""The groups that a linear program over groups chooses from so far, and how much it uses each."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import chain
from typing import Any

import numpy as np

from shoal.core.arrays import Codes, Flags, Floats, Whole
from shoal.kernels.relaxation_groups import Cuts
from shoal.kernels.relaxation_prices import Groups, count_tolls, covered, use


def _whole(*shape: int) -> Whole:
    return np.zeros(shape, np.int64)


@dataclass(eq=False)
class GroupPool:
    """Groups (CSR) with their costs and uses; ``pays`` tells which of them pay tolls, and ``keys`` tell them apart."""

    starts: Whole = field(default_factory=lambda: _whole(1))
    rows: Codes = field(default_factory=lambda: np.zeros(0, np.int32))
    counts: Codes = field(default_factory=lambda: np.zeros(0, np.int32))
    costs: Floats = field(default_factory=lambda: np.zeros(0))
    pays: Flags = field(default_factory=lambda: np.zeros(0, np.bool_))
    keys: Whole = field(default_factory=lambda: _whole(0))
    uses: Floats = field(default_factory=lambda: np.zeros(0))
    _groups: Groups | None = field(init=False, default=None, repr=False)

    @property
    def sizes(self) -> Whole:
        """Number of rows of each group."""
        return np.asarray(np.add.reduceat(self.counts, self.starts[:-1]), np.int64) if self.costs.size else _whole(0)

    @property
    def _columns(self) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        """What is known of each distinct row in a group, and of each group."""
        return (self.rows, self.counts), (self.costs, self.pays, self.keys, self.uses)

    def chosen(self, flags: Flags) -> GroupPool:
        """Some of the groups."""
        lengths = np.diff(self.starts)
        inside = np.repeat(flags, lengths)
        starts = np.concatenate([[0], np.cumsum(lengths[flags])]).astype(np.int64)
        members, groups = self._columns
        return GroupPool(starts, *(column[inside] for column in members), *(column[flags] for column in groups))

    def joined(self, other: GroupPool) -> GroupPool:
        """These groups and those of another pool that are not among them."""
        new = other.chosen(~np.isin(other.keys, self.keys))
        starts = np.concatenate([self.starts, self.starts[-1] + new.starts[1:]])
        pairs = zip(chain(*self._columns), chain(*new._columns), strict=True)
        return GroupPool(starts, *(np.concatenate(pair) for pair in pairs))

    def with_tolls(self, cuts: Cuts) -> Groups:
        """The groups with the cuts that they pay; counted once for each list of cuts."""
        if self._groups is None:
            paid = count_tolls(self.starts, self.rows, self.counts, self.pays, cuts.at, cuts.cuts, cuts.divisors)
            self._groups = Groups(self.starts, self.rows, self.counts, self.costs, *paid)
        return self._groups

    def use(
        self, cuts: Cuts, prices: Floats, tolls: Floats, bounds: tuple[Floats, Floats], penalty: float, n_sweeps: int
    ) -> None:
        """Improve the uses for these prices and tolls, which change with them. O(sweeps · rows of the groups)."""
        use(self.with_tolls(cuts), self.uses, prices, tolls, *bounds, penalty, n_sweeps)

    def covered(self, cuts: Cuts, n_rows: int) -> tuple[Floats, Floats]:
        """How much of each row is covered, and how often each cut is paid."""
        rows, paid = covered(self.with_tolls(cuts), self.uses, n_rows, cuts.divisors.size)
        return rows, paid
