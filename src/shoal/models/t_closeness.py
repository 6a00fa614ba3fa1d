"""t-closeness: the sensitive values of a person's possible records are distributed nearly as in the table."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import ClassVar, Literal, get_args

import numpy as np

from shoal.core.arrays import Codes, Floats, Offsets
from shoal.core.hierarchy import Hierarchy
from shoal.core.parameters import checked, one_of, positive_number
from shoal.core.table import SensitiveColumn, Table
from shoal.core.tallies import Tallies
from shoal.errors import InputError
from shoal.kernels import distances
from shoal.models.sensitive import SensitiveModel, beyond

_FEW = 100

Distance = Literal["equal", "ordered", "hierarchical"]


@dataclass(frozen=True)
class TCloseness(SensitiveModel):
    """The distribution of values in each pool is at most ``t`` away from that of the whole table.

    Guarantee: what an adversary learns about a person's sensitive value, beyond what the whole table shows, is limited.
    The whole table includes suppressed rows.

    Threat model: the adversary knows a person's quasi-identifiers, that the person is in the table, and the overall
    distribution of the sensitive column.

    The distance is the earth mover's distance: the least work that turns one distribution into the other, if moving a
    share from one value to another costs their ``distance``:

    * ``equal``: 1 between any two values;
    * ``ordered``: the difference of their ranks over the number of occurring values − 1. Numbers and dates are ranked
      by size, all others in the order of the domain (or of its hierarchy), a missing value last;
    * ``hierarchical``: the level of their lowest common node over the level of the root of the column's hierarchy.

    Monotone: for a fixed table, the distance is convex in the group's distribution, and that of a union is a mixture of
    its parts'. Ciriani et al. say "lower than t", Li et al. and ARX at most t; here it is at most.

    People counted: each different value of a person counts once, in the pool and in the table. With m values per person
    in the pool and M in the table, the distance is m times that of the two distributions, plus the difference of m and
    M: with ``equal``, the chances of having a value differ by no more than that in total.

    Cost: O(members), and O(groups · values) more for ordered and hierarchical distances. Counts have 64 bits.

    Reference: Li, Li and Venkatasubramanian 2007, t-Closeness: Privacy Beyond k-Anonymity and l-Diversity; Ciriani et
    al. 2007, k-Anonymity (Definition 5.3).

    >>> str(TCloseness(0.2, "hierarchical", of="disease"))
    '0.2-closeness (hierarchical distance) of disease'
    """

    t: float = field(metadata=checked(positive_number, "t", most=1))
    distance: Distance = field(default="equal", metadata=checked(one_of, "distance", known=get_args(Distance)))

    name: ClassVar[str] = "t-closeness"
    flag: ClassVar[str] = "t"
    summary: ClassVar[str] = (
        "the sensitive values of the records that may belong to a person are distributed as in the whole table, up to "
        "a distance of T; T, T:ordered or T:hierarchical, also followed by :column"
    )
    words: ClassVar[tuple[str, ...]] = get_args(Distance)
    is_monotone: ClassVar[bool] = True
    negates: ClassVar[bool] = True
    needs_original: ClassVar[bool] = True

    @property
    def threshold(self) -> float:
        """Minus t."""
        return -self.t

    def judge(self, column: SensitiveColumn, tallies: Tallies) -> Floats:
        """Minus the distance of each group."""
        totals = column.domain.counts
        if self.distance == "ordered":
            ranks, totals = _ranked(column)
            away = distances.ordered(tallies.offsets, ranks[tallies.values], tallies.counts, totals)
        elif self.distance == "hierarchical":
            parents, widths = _tree(self._hierarchy(column))
            away = distances.hierarchical(tallies.offsets, tallies.values, tallies.counts, totals, parents, widths)
        else:
            away = distances.equal(tallies.offsets, tallies.values, tallies.counts, totals)
        if tallies.people is None:
            return -np.asarray(away, np.float64)
        each = tallies.summed(tallies.counts) / tallies.sizes
        return -np.asarray(each * away + np.abs(each - totals.sum() / column.whole), np.float64)

    def doomed(self, column: SensitiveColumn, tallies: Tallies) -> Floats:
        """The bound from convexity: no part of a group is farther away than the farthest of its values alone."""
        farthest = tallies.largest(self._alone(column)[tallies.values])
        return beyond(-self.judge(column, tallies), self.t, farthest, tallies.sizes)

    def _alone(self, column: SensitiveColumn) -> Floats:
        """The distance of a group with a single value; 1 if there are too many values to compute."""
        values = np.flatnonzero(column.domain.occurs).astype(np.int32)
        away = np.ones(column.domain.n_leaves)
        if values.size <= _FEW:
            single = Tallies(np.arange(values.size + 1), values, np.ones(values.size, np.int64))
            away[values] = -self.judge(column, single)
        return away

    def require_columns(self, table: Table) -> None:
        """Require an order for the ordered distance, by size or as given, and a hierarchy for the hierarchical one."""
        self.refuse(table)
        for column in self.columns(table) if self.distance == "ordered" else ():
            if not column.domain.is_ordered and column.hierarchy is None:
                raise InputError(
                    f"{self} needs an order of {column.name!r}, whose values are texts; say their order "
                    f"(--order {column.name}=VALUES), or use another distance."
                )

    def refuse(self, table: Table) -> None:
        """Refuse a hierarchical distance without a hierarchy; one class of all rows is always close enough."""
        for column in self.columns(table):
            if self.distance == "hierarchical":
                self._hierarchy(column)

    def _hierarchy(self, column: SensitiveColumn) -> Hierarchy:
        if column.hierarchy is None:
            raise InputError(
                f"{self} needs a hierarchy of {column.name!r}, which has none; give it one or use another distance."
            )
        return column.hierarchy

    def __str__(self) -> str:
        distance = "" if self.distance == "equal" else f" ({self.distance} distance)"
        return f"{self.t:g}-closeness{distance}{self._about()}"


def _ranked(column: SensitiveColumn) -> tuple[Codes, Offsets]:
    """The rank of each leaf among those that occur, and the number of rows with each rank."""
    domain = column.domain
    present = np.flatnonzero(domain.occurs)
    order = present[np.argsort(domain.places[present], kind="stable")]
    ranks = np.full(domain.n_leaves, -1, np.int32)
    ranks[order] = np.arange(order.size, dtype=np.int32)
    return ranks, domain.counts[order]


@lru_cache(maxsize=16)
def _tree(hierarchy: Hierarchy) -> tuple[Codes, Offsets]:
    """The position of each node's parent, level by level, and the number of nodes of each level."""
    places = [np.cumsum(np.diff(low, prepend=-1) > 0) - 1 for low in hierarchy.low]
    widths = np.array([place[-1] + 1 for place in places], np.int64)
    parents = [
        above[np.flatnonzero(np.diff(low, prepend=-1) > 0)]
        for low, above in zip(hierarchy.low[:-1], places[1:], strict=True)
    ]
    return np.concatenate([*parents, np.zeros(1)]).astype(np.int32), widths
