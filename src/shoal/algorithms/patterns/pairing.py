"""Classes of two and three rows as matchings: the graph behind Theorem 2.

A class of any size can be cut into pairs and at most one triple, so it is enough to choose pairs and, for some
instances, called odd, one triple. With the odd instances fixed, the rest is a cheapest perfect matching: two rows are
joined by an edge at the cost of the cheapest instance that both may be in, and every odd instance adds three guests,
each joined to the rows that may be in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from shoal.algorithms.patterns.assignment import Assignment
from shoal.algorithms.patterns.instances import Sharing
from shoal.algorithms.patterns.problem import PatternProblem
from shoal.core.arrays import Codes
from shoal.core.groups import Groups
from shoal.kernels.assignment_graph import expand
from shoal.kernels.blossom import heaviest_perfect
from shoal.kernels.patterns_pairs import lightest_triples

Numbers = npt.NDArray[np.int64]

NEVER = 1 << 60
"""Marks a change that cannot be made."""

_FINE = 1_000_000
"""Costs that are not integers are rounded to a millionth."""


@dataclass(frozen=True, eq=False)
class Matched:
    """A cheapest perfect matching of rows and guests, with the labels that prove it."""

    cost: int
    mates: Codes
    labels: Numbers
    shared: Numbers
    has_joker: bool

    def lightest_triples(self, lists: Groups) -> Numbers:
        """For each list, a lower bound on the weight of three of its vertices in the matching, plus the joker."""
        joined = self.shared[-1] if self.has_joker else np.zeros_like(self.labels)
        least: Numbers = lightest_triples(lists.offsets, lists.members, self.labels, self.shared, joined)
        return least


@dataclass(frozen=True, eq=False)
class Pairing:
    """The rows of one table, and the instances that they may be in; the last contains all rows and is the star's.

    If rows may not be starred, the last costs more than everything else together.
    """

    problem: PatternProblem
    sharing: Sharing

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return self.problem.table.n_rows

    @property
    def is_open(self) -> bool:
        """Whether rows may be starred."""
        return self.problem.mask.star >= 0

    @cached_property
    def instances(self) -> Groups:
        """The rows of each instance."""
        kinds, rows = self.sharing.instances, self.sharing.rows
        several = Groups(*expand(kinds.offsets, kinds.members, rows.offsets, rows.members))
        return Groups.concatenated([several, Groups.whole(self.n_rows)])

    @cached_property
    def scale(self) -> int:
        """Costs are counted in this fraction of a star."""
        return 1 if self.sharing.has_whole_costs else _FINE

    @cached_property
    def costs(self) -> Numbers:
        """What a row pays in each instance, as integers."""
        full = self.sharing.full if self.is_open else (1.0 + self.sharing.full) * (1 + self.n_rows)
        costs: Numbers = (np.append(self.sharing.costs, full) * self.scale).round().astype(np.int64)
        return costs

    @cached_property
    def homes(self) -> Codes:
        """``[a, b]``: the cheapest instance of two rows."""
        homes = np.zeros((self.n_rows, self.n_rows), np.int32)
        for place in np.argsort(-self.costs, kind="stable").tolist():
            rows = self.instances.of(place)
            homes[np.ix_(rows, rows)] = place
        return homes

    @cached_property
    def ceiling(self) -> int:
        """The weight of an edge is this minus its cost."""
        return int(2 * self.costs.max())

    @cached_property
    def weights(self) -> Numbers:
        """The weights of edges between rows."""
        weights: Numbers = self.ceiling - 2 * self.costs[self.homes]
        return weights

    def guests(self, odd: Sequence[int], instance: int) -> Codes:
        """The vertices of an odd instance's guests."""
        return (self.n_rows + 3 * odd.index(instance) + np.arange(3)).astype(np.int32)

    def matched(self, odd: Sequence[int], with_joker: bool = False) -> Matched | None:
        """The cheapest matching with these odd instances; a joker, the last vertex, matches any other at no cost."""
        n, size = self.n_rows, self.n_rows + 3 * len(odd) + with_joker
        weights = np.full((size, size), -1, np.int64)
        weights[:n, :n] = self.weights
        for instance in odd:
            places = np.ix_(self.guests(odd, instance), self.instances.of(instance))
            weights[places] = self.ceiling - self.costs[instance]
        if with_joker:
            weights[-1, :-1] = self.ceiling
        weights = np.maximum(weights, weights.T)
        mates, labels, shared = heaviest_perfect(weights)
        if (mates < 0).any():
            return None
        cost = self.ceiling * size // 2 - int(weights[np.arange(size), mates].sum()) // 2
        return Matched(cost, mates, labels, shared, with_joker)

    def gains(self, found: Matched) -> Numbers:
        """For each instance, a lower bound on twice what a triple there adds to the cost when its rows are removed."""
        lists = self.instances
        least, fits = found.lightest_triples(lists), lists.sizes > 2
        gains: Numbers = np.where(fits, 6 * self.costs + np.where(fits, least, 0) - 3 * self.ceiling, NEVER)
        return gains

    def farewells(self, odd: Sequence[int], found: Matched) -> Numbers:
        """For each odd instance, a lower bound on twice what removing its guests adds to the cost."""
        offsets = np.arange(0, 3 * len(odd) + 1, 3).astype(np.int64)
        guests = (self.n_rows + np.arange(3 * len(odd))).astype(np.int32)
        farewells: Numbers = found.lightest_triples(Groups(offsets, guests)) - 3 * self.ceiling
        return farewells

    def odd_of(self, assignment: Assignment) -> tuple[int, ...]:
        """The instances with an odd number of rows under an assignment that leaves out no row."""
        homes = self.sharing.homes(assignment)
        counts = np.bincount(homes, minlength=len(self.instances))
        return tuple(np.flatnonzero(counts % 2).tolist())

    def assignment(self, odd: Sequence[int], found: Matched) -> Assignment:
        """The assignment that gives rows the pattern of the instance that they share with their mate."""
        rows, mates = np.arange(self.n_rows), found.mates[: self.n_rows]
        hosts = np.array([*np.repeat(odd, 3)], np.int32)
        is_pair = mates < self.n_rows
        places = np.empty(self.n_rows, np.int32)
        places[is_pair] = self.homes[rows[is_pair], mates[is_pair]]
        places[~is_pair] = hosts[mates[~is_pair] - self.n_rows]
        patterns = np.append(self.sharing.patterns, self.problem.mask.star).astype(np.int32)
        return Assignment(self.problem.table, self.problem.mask, patterns[places])
