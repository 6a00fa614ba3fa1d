"""Clustering: start from good clusters, then spend the time budget on lowering the loss."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from shoal.algorithms.clustering.agglomeration import (
    BLOCK,
    LEAST_BLOCK,
    LINKAGES,
    Linkage,
    affordable,
    affordable_lists,
)
from shoal.algorithms.clustering.coded_rows import Coding
from shoal.algorithms.clustering.initial_partition import start
from shoal.algorithms.clustering.partition_search import refine
from shoal.algorithms.clustering.refinements import Search
from shoal.algorithms.clustering.specialization import specialized
from shoal.core.contracts import Algorithm, Goal, GroupModel, inner_algorithm
from shoal.core.goal_feasibility import require_possible
from shoal.core.groups import Groups
from shoal.core.parameters import real_number, whole_number
from shoal.core.progress import Progress
from shoal.core.randomness import Randomness
from shoal.core.release import Release
from shoal.core.table import Table
from shoal.errors import InputError, did_you_mean
from shoal.kernels.compiled import working_time

_START, _LISTS = 0.25, 0.4
"""The shares of the budget that the start may take: for clustering all rows, or along lists."""

_LARGE = 8
"""From this k on, if clustering takes too long, a search gets further from top-down cuts along hierarchies."""

_QUICK = "mondrian:relaxed"


@dataclass(frozen=True)
class Clustering(Algorithm):
    """Agglomerative clustering, then large-neighbourhood search until ``budget`` seconds are spent.

    If clustering would take more than a quarter of the budget, as estimated from two neighbourhoods, clusters are
    merged along lists of near ones, or in rounds of smaller blocks if that takes too long as well; if Mondrian's
    classes then lose less, the search begins with those. If all columns have hierarchies and k is 8 or more, it begins
    with cuts that lower the loss most per bit (``Specialization``). The search keeps only changes that lower the loss,
    so from the same start more time never gives a worse release. It ends early after a long time without improvement.
    The result depends on the speed of the machine; with ``steps`` above 0, that many neighbourhoods are tried, however
    long it takes (several small ones count as one), and with a seed the result is the same everywhere.

    Adult (30,162 rows, nine columns, two cores): mean LM 0.048 for k = 5 and 0.073 for k = 10 in ten seconds.

    Cost: ``budget`` seconds, O(n · columns) memory.

    Reference: Tassa, Mazza and Gionis 2012, k-Concealment: An Alternative Model of k-Type Anonymity, for the start; the
    search is our own.

    >>> import polars as pl
    >>> import shoal
    >>> table = pl.DataFrame({"zip": ["02139", "02138", "02142", "02141"], "age": [23, 25, 61, 67]})
    >>> words = {"quasi_identifiers": ["zip", "age"], "hierarchies": {"zip": "mask"}, "privacy": shoal.KAnonymity(2)}
    >>> release = shoal.anonymize(table, algorithm=shoal.Clustering(steps=50), **words)
    >>> sorted(set(release.to_frame().rows()))
    [('0213*', '[23..25]'), ('0214*', '[61..67]')]
    """

    budget: float = 10.0
    steps: int = 0
    linkage: Linkage = "size"

    name: ClassVar[str] = "clustering"
    summary: ClassVar[str] = "cluster, then search for better clusters within a time budget (loses the least)"
    serves = (GroupModel,)
    asks_about_cells: ClassVar[bool] = True
    is_local: ClassVar[bool] = True
    suppresses: ClassVar[bool] = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "budget", real_number("budget", self.budget, least=0))
        object.__setattr__(self, "steps", whole_number("steps", self.steps, least=0))
        if self.linkage not in LINKAGES:
            raise InputError(f"There is no linkage {self.linkage!r}.{did_you_mean(self.linkage, LINKAGES)}")

    def run(self, table: Table, goal: Goal, randomness: Randomness, progress: Progress) -> Release:
        """Cluster, refine, and give each cluster its smallest permitted cells."""
        require_possible(table, goal)
        started = working_time()
        coding = Coding.of(table, goal.metric)
        allowed = _START * (self.budget - (working_time() - started))
        block = BLOCK if self.steps else affordable(coding, goal.floor, self.linkage, allowed)
        groups = self._begun(table, goal, coding, block, randomness, progress)
        left = self.budget - (working_time() - started)
        drawn, methods = randomness.child("refine"), [Search(self.steps)]
        better = refine(table, goal, groups, drawn, progress, seconds=left, methods=methods, coding=coding)
        return Release.from_groups(table, better)

    def _begun(
        self, table: Table, goal: Goal, coding: Coding, block: int, randomness: Randomness, progress: Progress
    ) -> Groups:
        """Cluster all rows if there is time, else use something quicker: top-down cuts, lists, Mondrian's classes."""
        if block == BLOCK or not goal.is_about_size:
            return start(table, goal, coding, self.linkage, randomness, progress, block=block)
        if goal.floor >= _LARGE and all(column.recoding.closes_to_nodes for column in table.quasi):
            return specialized(table, goal.metric, goal.floor)
        quick = inner_algorithm(_QUICK).run(table, goal, randomness.child("quick"), progress).classes
        n_near = affordable_lists(coding, _LISTS * self.budget)
        block = LEAST_BLOCK if n_near else block
        near = start(table, goal, coding, self.linkage, randomness, progress, block=block, n_near=n_near)
        return min(near, quick, key=coding.cost)
