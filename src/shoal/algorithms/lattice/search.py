"""The search for the node that loses least."""

from __future__ import annotations

from dataclasses import dataclass
from time import monotonic
from typing import Protocol

import numpy as np

from shoal.algorithms.lattice.bounds import Surcharge, bounds_of
from shoal.algorithms.lattice.grouping import Grouping
from shoal.algorithms.lattice.judge import Judge, Judgement
from shoal.algorithms.lattice.keys import Key, ascending
from shoal.algorithms.lattice.space import Levels, Space
from shoal.core.contracts import Goal
from shoal.core.progress import Progress
from shoal.core.table import Table


class Candidates(Protocol):
    """Nodes that may still be better than the best one found."""

    @property
    def n_left(self) -> int:
        """How many nodes are neither judged nor out of the race."""

    def lowest(self) -> Key:
        """No node that was not judged, and may be feasible, has a smaller key."""

    def next(self) -> Levels | None:
        """The node to judge; None where none is left."""

    def judged(self, levels: Levels, *, is_feasible: bool) -> None:
        """A node was judged."""

    def drop_below(self, levels: Levels) -> None:
        """A node and all below it are infeasible."""

    def improve(self, best: Key) -> None:
        """A better node was found."""

    def raise_below(self, surcharge: Surcharge) -> None:
        """Nodes below a judged one cost more than was known."""

    def raise_above(self, levels: Levels, floor: Key) -> None:
        """No node above this one has a smaller key than ``floor``."""


@dataclass(frozen=True, eq=False)
class Found:
    """A feasible node with its verdict and key."""

    verdict: Judgement
    key: Key
    score: float


class Searcher:
    """Judges nodes and draws every conclusion that is proven, until no node can be better than the best one found.

    * A node is not judged where a lower bound on its key is no smaller than the best key found. Bounds come from the
      metric by the levels, by rows that are suppressed at a node above, and by the classes of a node below.
    * A node is not judged where one above it proves it infeasible (``Judge.rules_out_below``).

    Everything else is judged, so the best node found is optimal whatever the promises and the metric are. Of nodes
    with equal keys one is returned below which no other with that key lies.
    """

    def __init__(self, table: Table, goal: Goal, progress: Progress, time_limit: float | None = None) -> None:
        self._deadline = None if time_limit is None else monotonic() + time_limit
        self.space = Space.of(table)
        self.grouping = Grouping(table)
        self.judge = Judge(table, goal, self.grouping)
        self.bounds = bounds_of(goal.metric, table, self.grouping.codes)
        self.best: Found | None = None
        self._early: list[Judgement] = []
        self._judged: set[Levels] = set()
        self._metric = goal.metric
        self._progress = progress
        self._candidates: Candidates | None = None

    @property
    def n_checked(self) -> int:
        """How many nodes were grouped and judged."""
        return len(self._judged)

    @property
    def is_over(self) -> bool:
        """Whether the time is up."""
        return self._deadline is not None and monotonic() > self._deadline

    def start(self) -> None:
        """Judge the top, and bisect the path from bottom to top that loses least for a first feasible node."""
        top = self.check(self.space.top)
        path = self._cheapest_path()
        low, high = 0, len(path) - 1
        while low < high and (top.is_feasible or not self.judge.is_upward):
            middle = (low + high) // 2
            if self.check(path[middle]).is_feasible:
                high = middle
            else:
                low = middle + 1

    def finish(self, candidates: Candidates) -> bool:
        """Judge candidates until none is left or the time is up; whether none is left."""
        self._candidates = candidates
        for verdict in self._early:
            self._tell(candidates, verdict, None)
        while (levels := candidates.next()) is not None:
            if self.is_over:
                return False
            self.check(levels)
            self._progress.advance()
        self._candidates = None
        return True

    def descend(self) -> None:
        """Go down from the best node while the key stays the same."""
        while self.best is not None and not self.is_over:
            before = self.best
            for levels in self.space.below(before.verdict.levels):
                self._judged.add(levels)
                found = self.score(self.judge(levels, in_a_hurry=True))
                if found is not None and found.key <= before.key:
                    self.best = found
                    break
            if self.best is before:
                return

    def least_suppressed(self) -> int:
        """The fewest rows that would have to be suppressed at a node of the path that loses least."""
        return min(self.judge(levels).n_suppressed for levels in self._cheapest_path())

    def check(self, levels: Levels) -> Judgement:
        """Judge a node and draw the conclusions."""
        verdict = self.judge(levels, in_a_hurry=True)
        self._judged.add(levels)
        found = self.score(verdict)
        is_better = found is not None and (self.best is None or found.key < self.best.key)
        if is_better:
            self.best = found
        if self._candidates is None:
            self._early.append(verdict)
        else:
            self._tell(self._candidates, verdict, found if is_better else None)
        return verdict

    def score(self, verdict: Judgement) -> Found | None:
        """The key of a feasible node."""
        if not verdict.is_feasible:
            return None
        node = self.judge.node(verdict, with_rows=self._metric.needs_rows)
        key = tuple(float(entry) for entry in self._metric.node_key(node))
        if self._candidates is not None and not self.bounds.are_final:
            floor = tuple(float(entry) for entry in self._metric.node_floor(node))
            self._candidates.raise_above(verdict.levels, floor)
        return Found(verdict, key, key[0] if len(key) == 1 else self._metric.node_score(node))

    def _tell(self, candidates: Candidates, verdict: Judgement, better: Found | None) -> None:
        levels = verdict.levels
        candidates.judged(levels, is_feasible=verdict.is_feasible)
        if better is not None:
            candidates.improve(better.key)
        if self.judge.rules_out_below(verdict):
            candidates.drop_below(levels)
        elif (surcharge := self.bounds.below(verdict)) is not None:
            candidates.raise_below(surcharge)

    def _cheapest_path(self) -> list[Levels]:
        """From the bottom to the top, each time one step up to the node of least bound."""
        path = [self.space.bottom]
        while path[-1] != self.space.top:
            above = [*self.space.above(path[-1])]
            path.append(above[ascending(self.bounds.of(np.array(above, np.int32)))[0]])
        return path
