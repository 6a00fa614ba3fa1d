"""The search for the node that loses least."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from shoal.algorithms.lattice.bounds import Surcharge, bounds_of
from shoal.algorithms.lattice.feasibility import Judge, Judgement
from shoal.algorithms.lattice.frontier_array import Live
from shoal.algorithms.lattice.frontier_heap import Heap
from shoal.algorithms.lattice.space import Box, Key, Levels, Space
from shoal.core.contracts import Goal
from shoal.core.progress import Progress
from shoal.core.table import Table
from shoal.kernels.compiled import working_time

Candidates = Live | Heap
"""Nodes that may still beat the best one found."""


@dataclass(frozen=True, eq=False)
class Found:
    """A feasible node with its verdict and key; no node above it has a key below ``floor``, if given."""

    verdict: Judgement
    key: Key
    score: float
    floor: Key | None = None


@dataclass(frozen=True, eq=False, slots=True)
class Known:
    """What is known about a judged node: its key, if it is feasible, and what follows for other nodes."""

    key: Key | None
    floor: Key | None
    rules_out_below: bool
    surcharge: Surcharge | None


class Searcher:
    """Judges nodes and draws all proven conclusions, for any search strategy.

    * A node need not be judged if a lower bound on its key is no smaller than the best key found. Bounds come from the
      metric: from the levels, from rows that are suppressed at a node above, and from the classes of a node below.
    * A node need not be judged if one above it proves it infeasible (``Judge.rules_out_below``).

    ``peaks`` are the highest nodes known to be infeasible with all below them; none of them is below another.

    Once candidates that began with all nodes are used up, the best node found is therefore optimal, whatever the
    promises and the metric are. Among nodes with equal keys, the one returned has no other with that key below it.

    The clock stops while kernels are compiled.
    """

    def __init__(
        self,
        table: Table,
        goal: Goal,
        progress: Progress,
        time_limit: float | None = None,
        clock: Callable[[], float] = working_time,
    ) -> None:
        self._clock = clock
        self.started = clock()
        self._deadline = np.inf if time_limit is None else self.started + time_limit
        self.space = Space.of(table)
        self.judge = Judge(table, goal)
        self.bounds = bounds_of(goal.metric, self.judge.grouping)
        self.best: Found | None = None
        self.known: dict[Levels, Known] = {}
        self._metric = goal.metric
        self._progress = progress
        self.peaks = np.zeros((0, table.n_quasi), np.int16)

    @property
    def n_checked(self) -> int:
        """The number of nodes grouped and judged."""
        return len(self.known)

    def seconds(self) -> float:
        """Seconds since the search began."""
        return self._clock() - self.started

    def time_left(self, share: float = 1.0) -> float:
        """Seconds until this share of the time limit is over; infinite if there is none."""
        return self.started + share * (self._deadline - self.started) - self._clock()

    def start(self) -> None:
        """Judge the top, and bisect the cheapest path from bottom to top for a first feasible node."""
        top = self.check(self.space.top)
        path = self._cheapest_path()
        if top is not None or not self.judge.is_upward:
            bisect_left(path[:-1], True, key=lambda levels: self.check(levels) is not None)

    def finish(self, candidates: Candidates, share: float = 1.0) -> bool:
        """Judge candidates until none is left or this share of the time is over; return whether none is left."""
        while (levels := candidates.next()) is not None:
            if self.time_left(share) < 0:
                return False
            self.check(levels, candidates)
        return True

    def tell(self, candidates: Candidates, box: Box) -> None:
        """Eliminate the nodes of a box that are known to be infeasible from candidates, until the time is over."""
        for peak in self.peaks[(self.peaks >= np.array(box.low, np.int16)).all(axis=1)]:
            if self.time_left() < 0:
                return
            candidates.drop_below(tuple(peak.tolist()))

    def descend(self) -> None:
        """Step down from the best node while the key stays the same."""
        while self.best is not None and self.time_left() > 0:
            before = self.best
            for levels in self.space.below(before.verdict.levels):
                found = self._judge(levels)
                if found is not None and found.key <= before.key:
                    self.best = found
                    break
            if self.best is before:
                return

    def least_suppressed(self) -> Judgement:
        """The node on the cheapest path at which the fewest rows would have to be suppressed."""
        return min(map(self.judge, self._cheapest_path()), key=lambda verdict: verdict.n_suppressed)

    def check(self, levels: Levels, candidates: Candidates | None = None) -> Key | None:
        """The key of a node, None if it is infeasible; judged once, and all conclusions are passed to candidates."""
        if levels not in self.known:
            self._progress.advance()
            found = self._judge(levels)
            if found is not None and (self.best is None or found.key < self.best.key):
                self.best = found
        known = self.known[levels]
        if candidates is not None:
            _tell(candidates, levels, known)
        return known.key

    def _judge(self, levels: Levels) -> Found | None:
        """Judge a node and store what follows."""
        verdict = self.judge(levels, in_a_hurry=True)
        found = self._score(verdict)
        rules_out = self.judge.rules_out_below(verdict)
        surcharge = None if rules_out else self.bounds.below(verdict)
        key, floor = (found.key, found.floor) if found else (None, None)
        self.known[levels] = Known(key, floor, rules_out, surcharge)
        if rules_out:
            peak = np.array(levels, np.int16)
            self.peaks = np.concatenate([self.peaks[~(self.peaks <= peak).all(axis=1)], peak[None]])
        return found

    def _score(self, verdict: Judgement) -> Found | None:
        """The key of a feasible node; None if it is infeasible."""
        if not verdict.is_feasible:
            return None
        key = self.bounds.key(verdict)
        if key is not None:
            return Found(verdict, key, key[0])
        metric = self._metric
        node = self.judge.node(verdict, with_rows=metric.needs_rows)
        key = tuple(float(entry) for entry in metric.node_key(node))
        floor = None if self.bounds.are_final else tuple(float(entry) for entry in metric.node_floor(node))
        return Found(verdict, key, key[0] if len(key) == 1 else metric.node_score(node), floor)

    def _cheapest_path(self) -> list[Levels]:
        """The path from the bottom to the top that always steps up to the node with the least bound."""
        path = [self.space.bottom]
        while path[-1] != self.space.top:
            above = [*self.space.above(path[-1])]
            bounds = self.bounds.of(np.array(above, np.int32)).tolist()
            path.append(above[bounds.index(min(bounds))])
        return path


def _tell(candidates: Candidates, levels: Levels, known: Known) -> None:
    candidates.judged(levels, is_feasible=known.key is not None)
    if known.key is not None and (candidates.best is None or known.key < candidates.best):
        candidates.improve(known.key)
    if known.floor is not None:
        candidates.raise_above(levels, known.floor)
    if known.rules_out_below:
        candidates.drop_below(levels)
    elif known.surcharge is not None:
        candidates.raise_below(known.surcharge)
