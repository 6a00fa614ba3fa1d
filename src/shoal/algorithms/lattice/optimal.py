"""Lattice: the full-domain release that loses least, with the numbers of the proof."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from shoal.algorithms.lattice.column_bounds import column_bound
from shoal.algorithms.lattice.exploration import Exploration, explore
from shoal.algorithms.lattice.feasibility import Judge
from shoal.algorithms.lattice.frontier_array import LISTING, Live
from shoal.algorithms.lattice.frontier_heap import Heap
from shoal.algorithms.lattice.good_nodes import find_starts, improve
from shoal.algorithms.lattice.search import Candidates, Searcher
from shoal.algorithms.lattice.solution import SearchResult, no_node, too_big, too_many_rows
from shoal.algorithms.lattice.space import Box, Levels, Space
from shoal.core.claims import OneLevelPerColumn
from shoal.core.contracts import Algorithm, Goal, GroupModel
from shoal.core.parameters import real_number, whole_number
from shoal.core.progress import Progress, Silent
from shoal.core.randomness import Randomness
from shoal.core.release import Claim, Release
from shoal.core.table import Table
from shoal.errors import InputError

MOST_NODES = 10_000_000
"""Lattices up to this size are searched with every node in memory."""

SMALL = 500_000
"""Lattices up to this size get most of a time limit for the proof."""

_BOX = 1 << 15
"""If all nodes will be listed anyway, boxes of more nodes than this are left to that."""


@dataclass(frozen=True)
class Lattice(Algorithm):
    """One level per column, chosen so that no other choice loses less: a proven optimum.

    Every column is generalized to one level of its hierarchy (a column without one is published unchanged or not at
    all); classes that do not keep every promise are suppressed, up to the goal's suppression limit; among the nodes
    within the limit, one with the least loss by the goal's metric is published. Works for any promises about groups and
    any metric that judges nodes, monotone or not: ``Judge`` and ``Searcher`` say what is concluded and why it holds.

    Args:
        time_limit: seconds after which the best node found so far is published, with a lower bound on what any
            node loses. Needed for lattices of more than 10 million nodes.
        levels: publish exactly this node, one level per quasi-identifier in the table's order; as text ``1/0/2``.

    Cost: O(nodes checked · classes of the nodes they are rolled up from) time: on Adult (30,162 rows, 12,960 nodes) a
    few hundred checks. O(nodes + rows) memory, and at most a quarter of a gigabyte of classes kept for rolling up.

    Reference: Kohlmayer, Prasser, Eckert, Kemper and Kuhn 2012, Flash: Efficient, Stable and Optimal K-Anonymity,
    describe the best-first search by a lower bound with classes rolled up from known nodes, for one metric and monotone
    promises; pruning by levels is Samarati's and Incognito's.

    >>> import polars as pl
    >>> import shoal
    >>> table = pl.DataFrame({"zip": ["02139", "02138", "02142", "02141"], "age": [23, 25, 61, 67]})
    >>> words = {"quasi_identifiers": ["zip", "age"], "hierarchies": {"zip": "mask"}, "privacy": shoal.KAnonymity(2)}
    >>> release = shoal.anonymize(table, algorithm=shoal.Lattice(), **words)
    >>> sorted(set(release.to_frame().rows()))
    [('0213*', '*'), ('0214*', '*')]
    """

    time_limit: float | None = None
    levels: Levels | None = None

    name: ClassVar[str] = "lattice"
    summary: ClassVar[str] = "one hierarchy level per column, proven to lose least (optimal full-domain)"
    serves = (GroupModel,)
    is_global: ClassVar[bool] = True
    works_on_counts: ClassVar[bool] = True
    asks_about_cells: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if self.time_limit is not None:
            object.__setattr__(self, "time_limit", real_number("time_limit", self.time_limit, least=0))
        if self.levels is not None:
            object.__setattr__(self, "levels", parse_levels(self.levels))

    def refuse(self, table: Table, goal: Goal) -> None:
        """Refuse metrics that cannot judge nodes, levels that do not fit, and lattices that are too big."""
        super().refuse(table, goal)
        space = Space.of(table)
        if self.levels is not None:
            space.checked(self.levels)
            return
        if not goal.metric.scores_nodes:
            raise InputError(f"The metric {goal.metric.name!r} cannot judge nodes of a lattice; choose another metric.")
        if space.n_nodes > MOST_NODES and self.time_limit is None:
            raise too_big(space, MOST_NODES)

    def run(self, table: Table, goal: Goal, randomness: Randomness, progress: Progress) -> Release:
        """Find the optimal node, or use the given one, and publish it."""
        if self.levels is not None:
            return self.publish(table, goal, self.levels)
        found = self.search(table, goal, progress)
        claims = (OneLevelPerColumn(found.levels), found.claim(goal, self.time_limit))
        return replace(self.publish(table, goal, found.levels), claims=claims)

    def claims(self, table: Table, goal: Goal) -> tuple[Claim, ...]:
        """Claim the levels, if they are given."""
        given = () if self.levels is None else (OneLevelPerColumn(self.levels),)
        return (*super().claims(table, goal), *given)

    def search(self, table: Table, goal: Goal, progress: Progress | None = None) -> SearchResult:
        """The best node, and the numbers of the proof.

        Raises:
            GoalNotMet: no node keeps the promises within the suppression limit.
        """
        self.refuse(table, goal)
        progress = progress or Silent()
        searcher = Searcher(table, goal, progress, self.time_limit)
        progress.stage("searching the lattice")
        return search(searcher)

    def levels_for(self, table: Table, goal: Goal, progress: Progress) -> tuple[Levels, str]:
        """The given levels, or those of the best node."""
        if self.levels is not None:
            return self.levels, ""
        found = self.search(table, goal, progress)
        return found.levels, str(found)

    def explore(self, table: Table, goal: Goal, progress: Progress | None = None) -> Exploration:
        """Judge every node of the lattice.

        Raises:
            InputError: the lattice has more than a million nodes.
        """
        return explore(table, goal, progress or Silent())

    @staticmethod
    def publish(table: Table, goal: Goal, levels: Sequence[int]) -> Release:
        """Publish a node.

        Raises:
            InputError: there is no such node.
            GoalNotMet: more rows would have to be suppressed than the goal allows.
        """
        node = Space.of(table).checked(levels)
        judge = Judge(table, goal)
        verdict = judge(node)
        if not verdict.is_feasible:
            raise too_many_rows(judge, verdict)
        return judge.node(verdict, with_rows=True).release()


def parse_levels(said: object) -> Levels:
    """Levels from a sequence of numbers, or from text such as ``1/0/2`` or ``1,0,2``.

    >>> parse_levels("1/0/2")
    (1, 0, 2)
    """
    parts = said.replace("/", ",").split(",") if isinstance(said, str) else said
    if not isinstance(parts, Sequence):
        raise InputError(f"levels must be one number per quasi-identifier, such as 1/0/2, got {said!r}.")
    return tuple(whole_number("Each of the levels", part, least=0) for part in parts)


def search(searcher: Searcher) -> SearchResult:
    """Search for the best node; if time is limited, for good nodes first, then for a bound and a proof."""
    searcher.start()
    n_starts, lower_bound = 1, -np.inf
    if searcher.time_left() < np.inf:
        n_starts += _look_around(searcher)
        if searcher.space.n_nodes > MOST_NODES:
            lower_bound = column_bound(searcher, 0.9)
    candidates = _candidates(searcher)
    is_optimal = searcher.finish(candidates)
    searcher.descend()
    return replace(_found(searcher, candidates, is_optimal, lower_bound), n_starts=n_starts)


def _look_around(searcher: Searcher) -> int:
    """Search for good nodes from many starts, longer if a proof is out of reach; return the number of starts."""
    n_nodes = searcher.space.n_nodes
    share = 0.15 if n_nodes <= SMALL else 0.4 if n_nodes <= MOST_NODES else 0.8
    largest = _BOX if n_nodes <= MOST_NODES else n_nodes
    return find_starts(searcher, share) + improve(searcher, share, largest)


def _candidates(searcher: Searcher) -> Candidates:
    """All nodes if they fit into memory and there is time to list them, else nodes generated by the search."""
    space, key = searcher.space, searcher.best.key if searcher.best else None
    if space.n_nodes > MOST_NODES or space.n_nodes * LISTING >= searcher.time_left():
        return Heap(space, searcher.bounds, key, searcher.peaks, lambda: searcher.time_left() < 0)
    box = Box(space.bottom, space.top)
    candidates = Live(box, searcher.bounds, key)
    searcher.tell(candidates, box)
    return candidates


def _found(searcher: Searcher, candidates: Candidates, is_optimal: bool, least: float) -> SearchResult:
    best, n_nodes = searcher.best, searcher.space.n_nodes
    if best is None:
        raise no_node(searcher.judge, searcher.space, searcher.least_suppressed(), is_optimal)
    for levels, known in searcher.known.items():
        candidates.judged(levels, is_feasible=known.key is not None)
    lower_bound = best.score if is_optimal else min(best.score, max(least, candidates.lowest()[0]))
    return SearchResult(
        levels=best.verdict.levels,
        score=best.score,
        n_suppressed=best.verdict.n_suppressed,
        n_nodes=n_nodes,
        n_checked=searcher.n_checked,
        n_pruned=n_nodes - searcher.n_checked - candidates.n_left,
        is_optimal=is_optimal,
        lower_bound=lower_bound,
    )
