"""Agglomerative: merge the two closest clusters until each has k rows."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from shoal.algorithms.clustering.agglomeration import BLOCK, LINKAGES, Linkage
from shoal.algorithms.clustering.coded_rows import Coding
from shoal.algorithms.clustering.initial_partition import start
from shoal.core.contracts import Algorithm, Goal, GroupModel
from shoal.core.goal_feasibility import require_possible
from shoal.core.parameters import real_number, whole_number
from shoal.core.progress import Progress
from shoal.core.randomness import Randomness
from shoal.core.release import Release
from shoal.core.table import Table
from shoal.errors import InputError, did_you_mean


@dataclass(frozen=True)
class Agglomerative(Algorithm):
    """Bottom-up clustering: each row starts as a cluster (equal rows together), and the cheapest merge is made next.

    A cluster with k rows is finished; the rows of the last, unfinished one go where they add least. ``linkage`` defines
    the cost of a merge: ``"closure"``, the price of the union's cells; ``"increase"``, what the merge adds to the total
    loss; ``"size"``, the increase divided by the number of rows in the union, which loses least. Promises beyond class
    size are met by merging groups (Algorithm 8 of Tassa et al.).

    Bounds find the exact closest pair without comparing all pairs. Tables with more than ``block`` distinct rows are
    clustered in rounds: each round splits the unfinished clusters at random into blocks of similar ones and merges the
    closer half of the pairs in each block, in parallel. With ``seconds`` above 0, blocks are made smaller if clustering
    would take longer, as estimated from a few small ones; the result then depends on the speed of the machine.
    With ``neighbours`` above 0 there are no blocks: in each round every cluster has a list of that many near clusters,
    found through neighbours of neighbours, and pairs from these lists are merged. If rows differ in many columns, this
    loses less than blocks; with 25 neighbours it loses 1 to 3% more than comparing all pairs, in a tenth of the time.

    Cost: about n^1.5 steps in practice, O(n · columns) memory.

    Reference: Gionis, Mazza and Tassa 2008, k-Anonymization Revisited; Tassa, Mazza and Gionis 2012, k-Concealment: An
    Alternative Model of k-Type Anonymity (sections 6 and 9, appendix C).

    >>> import polars as pl
    >>> import shoal
    >>> table = pl.DataFrame({"zip": ["02139", "02138", "02142", "02141"], "age": [23, 25, 61, 67]})
    >>> words = {"quasi_identifiers": ["zip", "age"], "hierarchies": {"zip": "mask"}, "privacy": shoal.KAnonymity(2)}
    >>> release = shoal.anonymize(table, algorithm=shoal.Agglomerative(linkage="size"), **words)
    >>> sorted(set(release.to_frame().rows()))
    [('0213*', '[23..25]'), ('0214*', '[61..67]')]
    """

    linkage: Linkage = "size"
    block: int = BLOCK
    seconds: float = 0.0
    neighbours: int = 0

    name: ClassVar[str] = "agglomerative"
    summary: ClassVar[str] = (
        "merge the two closest clusters until each is large enough (good, a second for 30,000 rows)"
    )
    serves = (GroupModel,)
    asks_about_cells: ClassVar[bool] = True
    is_local: ClassVar[bool] = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "block", whole_number("block", self.block, least=1))
        object.__setattr__(self, "neighbours", whole_number("neighbours", self.neighbours, least=0))
        object.__setattr__(self, "seconds", real_number("seconds", self.seconds, least=0))
        if self.linkage not in LINKAGES:
            raise InputError(f"There is no linkage {self.linkage!r}.{did_you_mean(self.linkage, LINKAGES)}")

    def run(self, table: Table, goal: Goal, randomness: Randomness, progress: Progress) -> Release:
        """Cluster, and give each cluster its smallest permitted cells."""
        require_possible(table, goal)
        coding = Coding.of(table, goal.metric)
        seconds = self.seconds or math.inf
        groups = start(table, goal, coding, self.linkage, randomness, progress, seconds, self.block, self.neighbours)
        return Release.from_groups(table, groups)
