"""Factor: groups of two or three rows from a graph of least weight in which every row has few edges."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from shoal.algorithms.suppression.chains import chains, cut
from shoal.algorithms.suppression.degrees import lightest
from shoal.algorithms.suppression.problem import Problem, published, require_possible
from shoal.core.contracts import Algorithm, Goal, GroupModel
from shoal.core.groups import Groups
from shoal.core.progress import Progress
from shoal.core.randomness import Randomness
from shoal.core.release import Release
from shoal.core.table import Table
from shoal.errors import InputError

MOST_ROWS = 300
"""Beyond, the integer program would take minutes."""

MOST_K = 3


@dataclass(frozen=True)
class Factor(Algorithm):
    """For k = 2 and k = 3: at most 1.5 and 2 times the fewest stars on Boolean columns, 2 and 3 times on any others.

    Rows are the vertices of a complete graph, edges weigh what their two rows differ in. For k = 2 the lightest graph
    is found in which every row has one or two edges (a [1,2]-factor), for k = 3 the lightest in which every row has
    two (a 2-factor). Its pieces are edges, paths and rings; along these the rows are cut into groups of k to 2k − 1
    where that stars the least.

    The graph is found by integer programming (HiGHS), which is quick here but not bounded by a polynomial as the
    paper's way by matchings is. O(n²) variables; up to 300 rows, in seconds. The guarantee is for k-anonymity where
    cells are kept or starred, by the weights of columns. With other recodings the groups are published with their
    smallest cells, which lose no more. Groups that break a promise beyond size are joined with others.

    Reference: Aggarwal et al. 2005; Ciriani et al., k-Anonymity (section 3.2.3).
    """

    name: ClassVar[str] = "factor"
    summary: ClassVar[str] = "for k = 2 and 3 and few rows: at most 1.5 and 2 times the fewest stars on Boolean columns"
    serves = (GroupModel,)
    asks_about_cells: ClassVar[bool] = True
    is_local: ClassVar[bool] = True

    def refuse(self, table: Table, goal: Goal) -> None:
        """Refuse other k, and tables that are too large."""
        super().refuse(table, goal)
        if goal.floor > MOST_K:
            raise InputError(
                f"The algorithm {self.name!r} is for k = 2 and k = 3, and these promises want groups of "
                f"{goal.floor:,}; choose another, such as 'park-shim'."
            )
        if table.n_rows > MOST_ROWS:
            raise InputError(
                f"The algorithm {self.name!r} takes tables of at most {MOST_ROWS:,} rows, this one has "
                f"{table.n_rows:,}; choose another, such as 'park-shim'."
            )

    def run(self, table: Table, goal: Goal, randomness: Randomness, progress: Progress) -> Release:
        """Find the graph, cut its pieces, and give each group its smallest permitted cells."""
        self.refuse(table, goal)
        require_possible(table, goal)
        return published(table, goal, groups_of(Problem.of(table), goal.floor, progress))


def groups_of(problem: Problem, k: int, progress: Progress) -> Groups:
    """Groups of k to 2k − 1 rows, for k up to 3.

    Why the factors are what they are: take a group of s rows of the best partition, and let u be what a record of it
    stars. On Boolean columns a column that differs is told apart by a (s − a) of its pairs of rows. For k = 2 the
    lighter two edges of a triple weigh 4/3 u at most, a pair's edge u; so the factor weighs at most half the fewest
    stars, and a path of two edges that weigh w has no more than 3 w stars. For k = 3 the lightest ring through a group
    weighs 2 u, 8/3 u and 3 u for s = 3, 4, 5, at most 2/3 of its stars; a ring that weighs w can be cut so that there
    are at most 3 w stars: as it is for up to 5 rows (every column that differs, differs twice along it), else into
    threes and at most two fours, at the best of all places. With more values a triple's two edges weigh 2 u at most, a
    ring s u: so 2 and 3.
    """
    if k == 1:
        return Groups.from_ids(np.arange(problem.n_rows, dtype=np.int32), problem.n_rows)
    progress.stage("finding the lightest graph")
    edges = lightest(problem, *((1, 2) if k == 2 else (2, 2)))
    homes = np.empty(problem.n_rows, np.int32)
    n_groups = 0
    for chain in chains(problem.n_rows, edges):
        for run in cut(problem, chain, k):
            homes[run] = n_groups
            n_groups += 1
    return Groups.from_ids(homes, n_groups)
