"""Samarati's algorithm: bisect for the lowest height with a node that keeps the promises."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Literal, get_args

import numpy as np

from shoal.algorithms.lattice.feasibility import Judge
from shoal.algorithms.lattice.solution import no_node
from shoal.algorithms.lattice.space import Levels, Space
from shoal.core.claims import Minimal, OneLevelPerColumn
from shoal.core.contracts import Algorithm, Goal, GroupModel
from shoal.core.progress import Progress
from shoal.core.randomness import Randomness
from shoal.core.release import Release
from shoal.core.table import Table
from shoal.errors import InputError, did_you_mean

Preference = Literal[
    "minimum_absolute_distance", "minimum_relative_distance", "maximum_distribution", "minimum_suppression"
]
"""Which of several minimal generalizations to publish."""

_RANKS: dict[Preference, Callable[[MinimalNode], float]] = {
    "minimum_absolute_distance": lambda node: node.absolute_distance,
    "minimum_relative_distance": lambda node: node.relative_distance,
    "maximum_distribution": lambda node: -node.n_classes,
    "minimum_suppression": lambda node: node.n_suppressed,
}


@dataclass(frozen=True)
class Samarati(Algorithm):
    """A minimal generalization: no column can stay lower while the promises are kept within the suppression limit.

    Bisects the height of the lattice, because a feasible node has feasible nodes above it. ``preference`` chooses among
    the minimal nodes (Definition 3.4):

    * ``minimum_absolute_distance``: fewest generalization steps, which is what the bisection finds;
    * ``minimum_relative_distance``: fewest steps, each over the height of its column's hierarchy;
    * ``maximum_distribution``: most distinct records;
    * ``minimum_suppression``: fewest suppressed rows.

    All but the first need every minimal node, so all heights from the lowest feasible one up are searched. Ties go to
    the lower of absolute distance and suppressed rows, then to the first columns staying lower.

    The goal's metric is not used. Bisection requires that nodes above a feasible one are feasible. This holds for
    k-anonymity and, without suppression, for every monotone promise. For other goals heights are tried from below.

    Differs from Algorithm 3.1: instead of the matrix VT of distances between outliers and all distinct rows, whose size
    is quadratic, classes are rolled up from those of lower nodes. The ``Satisfy`` of Ciriani et al. adds the size of a
    failing class once per distinct row in it; here each suppressed row counts once. It also requires fewer than MaxSup
    suppressed rows where Definition 3.4 says at most; here it is at most.

    Cost: O(nodes on the heights visited · classes) time.

    Reference: Samarati 2001, Protecting Respondents' Identities in Microdata Release; Ciriani et al. 2007, k-Anonymity
    (Algorithm 3.1).

    >>> import polars as pl
    >>> import shoal
    >>> table = pl.DataFrame({"zip": ["02139", "02138", "02142", "02141"], "age": [23, 25, 61, 67]})
    >>> words = {"quasi_identifiers": ["zip", "age"], "hierarchies": {"zip": "mask"}, "privacy": shoal.KAnonymity(2)}
    >>> release = shoal.anonymize(table, algorithm=shoal.Samarati(), **words)
    >>> sorted(set(release.to_frame().rows()))
    [('0213*', '*'), ('0214*', '*')]
    """

    preference: Preference = "minimum_absolute_distance"

    name: ClassVar[str] = "samarati"
    summary: ClassVar[str] = "one hierarchy level per column, none higher than needed (minimal full-domain)"
    serves = (GroupModel,)
    is_global: ClassVar[bool] = True
    asks_about_cells: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if self.preference not in get_args(Preference):
            hint = did_you_mean(self.preference, get_args(Preference))
            raise InputError(f"There is no preference {self.preference!r}.{hint}")

    def run(self, table: Table, goal: Goal, randomness: Randomness, progress: Progress) -> Release:
        """Publish the preferred minimal node."""
        progress.stage("bisecting heights")
        border = _Border(table, goal)
        nodes = self._minimal(border)
        levels = self._preferred(nodes).levels
        release = border.judge.node(border.judge(levels), with_rows=True).release()
        of = "of least height" if self.preference == "minimum_absolute_distance" else "in all"
        return replace(release, claims=(OneLevelPerColumn(levels), Minimal(goal, levels, len(nodes), of)))

    def search(self, table: Table, goal: Goal) -> MinimalNode:
        """The preferred minimal node.

        Raises:
            GoalNotMet: no node keeps the promises within the suppression limit.
        """
        return self._preferred(self._minimal(_Border(table, goal)))

    def _minimal(self, border: _Border) -> list[MinimalNode]:
        """The minimal nodes to choose from."""
        lowest = border.lowest_height()
        if lowest is None:
            raise no_node(border.judge, border.space, None, is_sure=True)
        highest = lowest if self.preference == "minimum_absolute_distance" else sum(border.space.top)
        return [border.describe(levels) for levels in border.minimal_at(range(lowest, highest + 1))]

    def _preferred(self, nodes: Sequence[MinimalNode]) -> MinimalNode:
        rank = _RANKS[self.preference]
        return min(nodes, key=lambda n: (rank(n), n.absolute_distance, n.n_suppressed, n.levels))


@dataclass(frozen=True)
class MinimalNode:
    """A node that keeps every promise within the suppression limit: the paper's k-minimal generalization.

    ``relative_distance`` is the sum over columns of level / highest level.
    """

    levels: Levels
    n_suppressed: int
    n_classes: int
    relative_distance: float

    @property
    def absolute_distance(self) -> int:
        """The number of generalization steps."""
        return sum(self.levels)


class _Border:
    """Decides whether nodes are feasible, judging only those that no verdict on another node decides.

    For goals under which nodes above a feasible one are feasible, a node below an infeasible one is infeasible and one
    above a feasible one feasible (Theorem 3.4 of Ciriani et al. 2007 for k-anonymity; see ``Judge`` for other
    promises).
    """

    def __init__(self, table: Table, goal: Goal) -> None:
        self.space = Space.of(table)
        self.judge = Judge(table, goal)
        self._infeasible = np.zeros((0, len(self.space.heights)), np.int16)
        self._feasible = np.zeros((0, len(self.space.heights)), np.int16)

    def is_feasible(self, levels: Levels) -> bool:
        """Whether a node keeps every promise within the suppression limit."""
        node = np.array([levels], np.int16)
        if (self._infeasible >= node).all(axis=1).any():
            return False
        if (self._feasible <= node).all(axis=1).any():
            return True
        verdict = self.judge(levels, in_a_hurry=True)
        if self.judge.rules_out_below(verdict):
            self._infeasible = np.concatenate([self._infeasible, node])
        elif verdict.is_feasible and self.judge.is_upward:
            self._feasible = np.concatenate([self._feasible, node])
        return verdict.is_feasible

    def lowest_height(self) -> int | None:
        """The least height at which some node is feasible: by bisection if that is valid, else from below."""
        heights = range(sum(self.space.top) + 1)
        if not self.judge.is_upward:
            return next((height for height in heights if self._has_feasible(height)), None)
        if not self.is_feasible(self.space.top):
            return None
        return bisect_left(heights[:-1], True, key=self._has_feasible)

    def _has_feasible(self, height: int) -> bool:
        return any(self.is_feasible(node) for node in self.space.at_height(height))

    def minimal_at(self, heights: Iterable[int]) -> list[Levels]:
        """The minimal nodes on these heights, which must ascend from the lowest that has a feasible node."""
        found: list[Levels] = []
        for height in heights:
            known = np.array(found, np.int16).reshape(len(found), len(self.space.heights))
            for node in self.space.at_height(height):
                above = (known <= np.array(node, np.int16)).all(axis=1).any()
                if not above and self.is_feasible(node):
                    found.append(node)
        return found

    def describe(self, levels: Levels) -> MinimalNode:
        """The numbers by which minimal nodes are compared."""
        verdict = self.judge(levels)
        relative = sum(level / height for level, height in zip(levels, self.space.heights, strict=True) if height)
        return MinimalNode(levels, verdict.n_suppressed, int(verdict.kept.sum()), relative)
