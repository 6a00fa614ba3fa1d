"""The groups that a linear program over groups chooses from so far, and how much it uses each."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from shoal.algorithms.relaxation.node_costs import WholeNumbers
from shoal.core.arrays import Codes, Flags, Floats
from shoal.kernels.relaxation_groups import Cuts
from shoal.kernels.relaxation_prices import Groups, count_tolls, covered, use


def _whole(*shape: int) -> WholeNumbers:
    return np.zeros(shape, np.int64)


@dataclass(eq=False)
class GroupPool:
    """Groups (CSR) with their costs and uses; ``pays`` tells which of them pay tolls, and ``keys`` tell them apart."""

    starts: WholeNumbers = field(default_factory=lambda: _whole(1))
    rows: Codes = field(default_factory=lambda: np.zeros(0, np.int32))
    counts: Codes = field(default_factory=lambda: np.zeros(0, np.int32))
    costs: Floats = field(default_factory=lambda: np.zeros(0))
    pays: Flags = field(default_factory=lambda: np.zeros(0, np.bool_))
    keys: WholeNumbers = field(default_factory=lambda: _whole(0))
    uses: Floats = field(default_factory=lambda: np.zeros(0))
    _groups: Groups | None = field(default=None, repr=False)

    @property
    def sizes(self) -> WholeNumbers:
        """Number of rows of each group."""
        return np.asarray(np.add.reduceat(self.counts, self.starts[:-1]), np.int64) if self.costs.size else _whole(0)

    def chosen(self, flags: Flags) -> GroupPool:
        """Some of the groups."""
        lengths = np.diff(self.starts)
        inside = np.repeat(flags, lengths)
        starts = np.concatenate([[0], np.cumsum(lengths[flags])]).astype(np.int64)
        return GroupPool(
            starts,
            self.rows[inside],
            self.counts[inside],
            self.costs[flags],
            self.pays[flags],
            self.keys[flags],
            self.uses[flags],
        )

    def joined(self, other: GroupPool) -> GroupPool:
        """These groups and those of another pool that are not among them."""
        new = other.chosen(~np.isin(other.keys, self.keys))
        return GroupPool(
            np.concatenate([self.starts, self.starts[-1] + new.starts[1:]]),
            np.concatenate([self.rows, new.rows]),
            np.concatenate([self.counts, new.counts]),
            np.concatenate([self.costs, new.costs]),
            np.concatenate([self.pays, new.pays]),
            np.concatenate([self.keys, new.keys]),
            np.concatenate([self.uses, new.uses]),
        )

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
