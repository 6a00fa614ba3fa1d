"""The instances of patterns that enough rows could share, from which the search and the exact solution choose."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from shoal.algorithms.patterns.assignment import Assignment, named
from shoal.algorithms.patterns.problem import PatternProblem
from shoal.core.arrays import Codes, Floats, Offsets
from shoal.core.groups import Groups
from shoal.errors import InputError
from shoal.kernels import patterns_share as kernels
from shoal.kernels.assignment_graph import expand, invert
from shoal.kernels.distinct import number_lists
from shoal.kernels.scc import strong_components

MOST_MEMBERS = 10_000_000
"""The most pairs of a row and an instance that are stored."""


@dataclass(frozen=True, eq=False)
class Sharing:
    """Kinds of rows, and instances: possible classes, each a list of kinds whose rows may all be in it.

    ``rows`` are the table's rows of each kind; ``instances`` the kinds of each instance, ``patterns`` and ``costs`` its
    pattern and what a row pays there, ascending. A row in no instance pays ``full``.
    """

    rows: Groups
    instances: Groups
    patterns: Codes
    costs: Floats
    full: float

    @property
    def weights(self) -> Offsets:
        """The number of rows of each kind."""
        return self.rows.sizes

    @property
    def n_kinds(self) -> int:
        """Number of kinds of rows."""
        return len(self.rows)

    @property
    def outside(self) -> int:
        """The number that denotes no instance."""
        return len(self.instances)

    @cached_property
    def by_kind(self) -> Groups:
        """The instances of each kind, cheapest first."""
        return Groups(*invert(self.instances.offsets, self.instances.members, self.n_kinds))

    @cached_property
    def kinds(self) -> Codes:
        """The kind of each member of ``rows``."""
        return np.repeat(np.arange(self.n_kinds, dtype=np.int32), self.weights)

    @property
    def has_whole_costs(self) -> bool:
        """Whether all costs are integers."""
        costs = np.append(self.costs, self.full)
        return bool((costs == costs.round()).all())

    @property
    def row_bound(self) -> float:
        """A lower bound: every row in the cheapest instance it could be in."""
        starts = self.by_kind.offsets
        cheapest = np.full(self.n_kinds, self.full)
        some = np.diff(starts) > 0
        cheapest[some] = self.costs[self.by_kind.members[starts[:-1][some]]]
        return float(np.minimum(cheapest, self.full) @ self.weights)

    def homes(self, assignment: Assignment) -> Codes:
        """The instance of each member of ``rows`` under an assignment; ``outside`` if it is in none."""
        chosen = assignment.chosen[self.rows.members]
        places = _picked(self.by_kind, self.kinds)
        hits = self.patterns[places.members] == np.repeat(chosen, places.sizes)
        homes = np.full(chosen.size, self.outside, np.int32)
        homes[np.repeat(np.arange(chosen.size), places.sizes)[hits]] = places.members[hits]
        return homes

    def assignment(self, problem: PatternProblem, homes: Codes) -> Assignment:
        """The assignment in which the members of ``rows`` are in these instances; rows outside have no pattern."""
        chosen = np.full(problem.table.n_rows, -1, np.int32)
        chosen[self.rows.members] = np.append(self.patterns, -1)[homes]
        return Assignment(problem.table, problem.mask, chosen)

    def cost(self, homes: Codes) -> float:
        """What all rows pay."""
        return float(np.append(self.costs, self.full)[homes].sum())


def share(
    problem: PatternProblem, floor: int, start: Assignment | None = None, most: int = MOST_MEMBERS
) -> Sharing | None:
    """All instances that at least ``floor`` rows could share; None if they have more than ``most`` members.

    With ``start``, only those that some row would gain from, cheapest first and at most about ``most``, and those that
    ``start`` uses. O(rows · patterns).
    """
    mask, distinct = problem.mask, problem.table.distinct
    idle = problem.idle.copy()
    idle[[mask.star] if mask.star >= 0 else []] = True
    chosen = np.full(distinct.firsts.size, -1, np.int32) if start is None else start.chosen[distinct.firsts]
    limits = np.full(chosen.size, np.inf) if start is None else np.append(mask.costs, mask.full)[chosen]
    offsets, members, patterns = kernels.sharing(
        problem.planes, problem.lines, idle, mask.costs, problem.weights, floor, limits, chosen, most
    )
    if start is None and members.size > most:
        return None
    rows = Groups.from_ids(distinct.ids, distinct.firsts.size)
    return Sharing(rows, Groups(offsets, members), patterns, mask.costs[patterns], mask.full)


def reduced(sharing: Sharing) -> Sharing:
    """The same problem, smaller: keep the cheapest of instances with the same rows, merge rows with the same instances.

    An instance with the same rows and a lower cost is never worse, and rows that can go to the same instances are
    interchangeable. O(members).
    """
    _, firsts = number_lists(sharing.instances.offsets, sharing.instances.members)
    instances = _picked(sharing.instances, firsts)
    by_kind = Groups(*invert(instances.offsets, instances.members, sharing.n_kinds))
    ids, samples = number_lists(by_kind.offsets, by_kind.members)
    rows = Groups.from_ids(ids[sharing.kinds], samples.size)
    merged = Groups(rows.offsets, sharing.rows.members[rows.members])
    sampled = _picked(by_kind, samples)
    thinned = Groups(*invert(sampled.offsets, sampled.members, firsts.size))
    return Sharing(merged, thinned, sharing.patterns[firsts], sharing.costs[firsts], sharing.full)


def parts(sharing: Sharing) -> list[Sharing]:
    """Sub-problems that share neither rows nor instances; rows in no instance are in none of them."""
    by_kind, instances, n_kinds = sharing.by_kind, sharing.instances, sharing.n_kinds
    offsets = np.append(by_kind.offsets, by_kind.offsets[-1] + instances.offsets[1:])  # kinds first, then instances
    heads = np.append(by_kind.members + n_kinds, instances.members).astype(np.int32)
    numbers, n_parts = strong_components(offsets, heads)
    homes = Groups.from_ids(numbers[n_kinds:], n_parts)
    kinds = Groups.from_ids(numbers[:n_kinds], n_parts)
    return [_part(sharing, kinds.of(g), homes.of(g)) for g in range(len(homes)) if homes.sizes[g]]


def _part(sharing: Sharing, kinds: Codes, instances: Codes) -> Sharing:
    lists = _picked(sharing.instances, instances)
    places = np.searchsorted(kinds, lists.members).astype(np.int32)
    return Sharing(
        _picked(sharing.rows, kinds),
        Groups(lists.offsets, places),
        sharing.patterns[instances],
        sharing.costs[instances],
        sharing.full,
    )


def _picked(groups: Groups, which: Codes) -> Groups:
    """Some of the groups."""
    return Groups(*expand(np.arange(which.size + 1), which, groups.offsets, groups.members))


def cheapest_patterns(problem: PatternProblem, floor: int) -> Codes:
    """For each distinct row, the cheapest pattern under which ``floor`` rows are equal; −1 if there is none.

    O(rows · patterns), a few nanoseconds each.
    """
    first: Codes = kernels.cheapest(problem.planes, problem.lines, problem.idle, problem.weights, floor)
    return first


def row_bound(problem: PatternProblem, floor: int) -> float:
    """What all rows pay if each has the cheapest pattern that enough rows could share with it, ignoring conflicts."""
    costs = np.append(problem.mask.costs, problem.mask.full)
    return float(costs[cheapest_patterns(problem, floor)] @ problem.weights)


def refuse_hopeless(problem: PatternProblem, floor: int, spare: int) -> None:
    """Refuse rules under which too many rows are alone whatever the pattern.

    Raises:
        InputError: more such rows than may be suppressed; the message lists some.
    """
    lone = cheapest_patterns(problem, floor)[problem.table.distinct.ids] < 0
    rows = np.flatnonzero(lone).astype(np.int32)
    if rows.size > spare:
        raise InputError(
            f"No allowed pattern makes {named(problem.table, rows)} equal to {floor - 1:,} other rows, and starring "
            "outliers is forbidden; allow it, or allow patterns with more stars."
        )
