"""Minimal nodes: feasible ones with no feasible node below."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from shoal.algorithms.lattice.class_rollup import ClassRollup
from shoal.algorithms.lattice.feasibility import Judge
from shoal.algorithms.lattice.space import Levels, Space
from shoal.core.contracts import Goal
from shoal.core.table import Table


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
    """Decides whether nodes are feasible, judging only those that no verdict on another node decides.

    For goals under which nodes above a feasible one are feasible, a node below an infeasible one is infeasible and one
    above a feasible one feasible (Theorem 3.4 of Ciriani et al. 2007 for k-anonymity; see ``Judge`` for other
    promises).
    """

    def __init__(self, table: Table, goal: Goal) -> None:
        self.space = Space.of(table)
        self.judge = Judge(table, goal, ClassRollup(table))
        self.n_checked = 0
        self._infeasible = np.zeros((0, len(self.space.heights)), np.int16)
        self._feasible = np.zeros((0, len(self.space.heights)), np.int16)

    def is_feasible(self, levels: Levels) -> bool:
        """Whether a node keeps every promise within the suppression limit."""
        node = np.array(levels, np.int16)
        if (self._infeasible >= node).all(axis=1).any():
            return False
        return bool((self._feasible <= node).all(axis=1).any()) or self._ask(levels)

    def _ask(self, levels: Levels) -> bool:
        self.n_checked += 1
        verdict = self.judge(levels, in_a_hurry=True)
        node = np.array([levels], np.int16)
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
        low, high = 0, heights[-1]
        while low < high:
            middle = (low + high) // 2
            if self._has_feasible(middle):
                high = middle
            else:
                low = middle + 1
        return low

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
