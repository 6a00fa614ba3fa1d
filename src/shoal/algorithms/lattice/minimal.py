"""Minimal nodes: feasible ones with no feasible node below, where feasibility only grows on the way up."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from shoal.algorithms.lattice.grouping import Grouping
from shoal.algorithms.lattice.judge import Judge
from shoal.algorithms.lattice.space import Levels, Space
from shoal.core.contracts import Goal
from shoal.core.table import Table
from shoal.errors import InputError


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


class Border:
    """Answers whether nodes are feasible, judging only those that no verdict on another node decides.

    A node below an infeasible one is infeasible, a node above a feasible one is feasible (Theorem 3.4 of the chapter
    for k-anonymity; ``Judge`` for which other promises).
    """

    def __init__(self, table: Table, goal: Goal) -> None:
        self.space = Space.of(table)
        self.judge = Judge(table, goal, Grouping(table))
        self.n_checked = 0
        self._infeasible = np.zeros((0, len(self.space.heights)), np.int16)
        self._feasible = np.zeros((0, len(self.space.heights)), np.int16)

    def is_feasible(self, levels: Levels) -> bool:
        """Whether a node keeps every promise within the limit."""
        node = np.array(levels, np.int16)
        if (self._infeasible >= node).all(axis=1).any():
            return False
        return bool((self._feasible <= node).all(axis=1).any()) or self._ask(levels)

    def _ask(self, levels: Levels) -> bool:
        self.n_checked += 1
        answer = self.judge(levels, in_a_hurry=True).is_feasible
        node = np.array([levels], np.int16)
        if answer:
            self._feasible = np.concatenate([self._feasible, node])
        else:
            self._infeasible = np.concatenate([self._infeasible, node])
        return answer

    def lowest_height(self) -> int:
        """The least height at which some node is feasible, by bisection; the top must be."""
        low, high = 0, sum(self.space.top)
        while low < high:
            middle = (low + high) // 2
            if any(self.is_feasible(node) for node in self.space.at_height(middle)):
                high = middle
            else:
                low = middle + 1
        return low

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
        """The figures by which minimal nodes are compared."""
        verdict = self.judge(levels)
        relative = sum(level / height for level, height in zip(levels, self.space.heights, strict=True) if height)
        return MinimalNode(levels, verdict.n_suppressed, int(verdict.kept.sum()), relative)


def refuse_unless_upward(name: str, judge: Judge) -> None:
    """Raise InputError where a node above a feasible one may be infeasible."""
    if not judge.is_upward:
        raise InputError(
            f"The algorithm {name!r} needs promises that stay kept when classes grow, and "
            f"{' and '.join(str(promise) for promise in judge.goal.promises)} need not"
            f"{' where rows may be suppressed' if judge.max_suppressed else ''}; use the algorithm 'lattice'"
            f"{', or a suppression limit of 0' if judge.max_suppressed else ''}."
        )
