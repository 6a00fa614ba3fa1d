"""Factor: groups of two or three rows from a graph of least weight in which every row has few edges."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import inf
from typing import ClassVar

import numpy as np

from shoal.algorithms.suppression.problem import SuppressionAlgorithm, SuppressionProblem
from shoal.core.arrays import Codes, Offsets
from shoal.core.contracts import Goal
from shoal.core.groups import Groups
from shoal.core.progress import Progress
from shoal.core.table import Table
from shoal.errors import InputError

MOST_ROWS = 300
"""With more rows the integer program would take minutes."""

MOST_K = 3


@dataclass(frozen=True)
class Factor(SuppressionAlgorithm):
    """For k = 2 and k = 3: at most 1.5 and 2 times the fewest stars on Boolean columns, 2 and 3 times on any others.

    Rows are the vertices of a complete graph; an edge weighs what its two rows differ in. For k = 2 the algorithm finds
    the lightest graph in which every row has one or two edges (a [1,2]-factor), for k = 3 the lightest in which every
    row has two (a 2-factor). The graph consists of edges, paths and cycles; along these the rows are cut into groups of
    k to 2k − 1 with the fewest stars.

    The graph is found by integer programming (HiGHS), which is fast here but not polynomial like the paper's matchings.
    The guarantee is for k-anonymity with cells that are kept or starred, by the weights of columns. With other
    recodings the groups are published with their smallest cells, which lose no more. Groups that break a promise beyond
    class size are merged with others.

    Cost: O(n²) variables; up to 300 rows, in seconds.

    Reference: Aggarwal et al. 2005, Anonymizing Tables; Ciriani et al. 2007, k-Anonymity (section 3.2.3).

    >>> import polars as pl
    >>> import shoal
    >>> table = pl.DataFrame({"sex": ["m", "m", "f", "f"], "town": ["Ely", "Ripon", "Truro", "Truro"]})
    >>> words = {"quasi_identifiers": ["sex", "town"], "recodings": {"sex": "suppress", "town": "suppress"}}
    >>> release = shoal.anonymize(table, algorithm=shoal.Factor(), privacy=shoal.KAnonymity(2), **words)
    >>> sorted(set(release.to_frame().rows()))
    [('f', 'Truro'), ('m', '*')]
    """

    name: ClassVar[str] = "factor"
    summary: ClassVar[str] = "for k = 2 and 3 and few rows: at most 1.5 and 2 times the fewest stars on Boolean columns"

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

    def groups(self, problem: SuppressionProblem, k: int, progress: Progress) -> Groups:
        """Find the graph, and cut its pieces."""
        return groups_of(problem, k, progress)


def groups_of(problem: SuppressionProblem, k: int, progress: Progress) -> Groups:
    """Groups of k to 2k − 1 rows, for k up to 3.

    Proof of the factors: take a group of s rows of the best partition, and let u be the stars of one of its records. On
    Boolean columns, a column in which the group's rows differ, a of them from the others, separates a (s − a) pairs of
    rows. For k = 2, the lighter two edges of a triple weigh at most 4/3 u, a pair's edge u; so the factor weighs at
    most half the fewest stars, and a path of two edges that weigh w has at most 3 w stars. For k = 3, the lightest ring
    through a group weighs 2 u, 8/3 u and 3 u for s = 3, 4, 5, at most 2/3 of its stars; a ring that weighs w can be cut
    so that there are at most 3 w stars: as it is for up to 5 rows (every column that differs does so twice along it),
    else into threes and at most two fours, at the best of all places. With more values, a triple's two edges weigh at
    most 2 u, a ring s u; hence 2 and 3.
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


def lightest(problem: SuppressionProblem, least: int, most: int) -> Offsets:
    """The edges (pairs of rows) of the lightest graph in which each row has ``least`` to ``most`` of them.

    An edge weighs what the columns cost in which its rows differ. There must be more than ``least`` rows. An integer
    program with a variable for each pair of rows.
    """
    from scipy.optimize import Bounds, LinearConstraint, milp  # type: ignore[import-untyped]
    from scipy.sparse import csr_array  # type: ignore[import-untyped]

    one, other = np.triu_indices(problem.n_rows, 1)
    weights = problem.prices @ (problem.codes[:, one] != problem.codes[:, other])
    pairs = np.arange(one.size)
    places = (np.concatenate([one, other]), np.concatenate([pairs, pairs]))
    degrees = csr_array((np.ones(2 * pairs.size), places), shape=(problem.n_rows, pairs.size))
    found = milp(
        weights,
        integrality=np.ones(pairs.size),
        bounds=Bounds(0, 1),
        constraints=LinearConstraint(degrees, least, most),
        options={"mip_rel_gap": 0.0},
    )
    chosen = np.flatnonzero(found.x > 0.5)
    return np.stack([one[chosen], other[chosen]], axis=1)


@dataclass(frozen=True, eq=False)
class Chain:
    """Rows, each linked with the next; in a ring also the last with the first."""

    rows: Codes
    is_ring: bool


def chains(n_rows: int, edges: Offsets) -> Iterator[Chain]:
    """The pieces of a graph in which no row has more than two edges, paths first."""
    beside: list[list[int]] = [[] for _ in range(n_rows)]
    for one, other in edges.tolist():
        beside[one].append(other)
        beside[other].append(one)
    seen: set[int] = set()
    for first in sorted(range(n_rows), key=lambda row: len(beside[row]) == 2):
        if first not in seen:
            walk = _walk(first, beside, seen)
            yield Chain(np.array(walk, np.int32), len(beside[first]) == 2)


def _walk(row: int, beside: list[list[int]], seen: set[int]) -> list[int]:
    """From one row to the next until all have been seen."""
    walk = [row]
    seen.add(row)
    while ahead := [other for other in beside[walk[-1]] if other not in seen]:
        walk.append(ahead[0])
        seen.add(ahead[0])
    return walk


def cut(problem: SuppressionProblem, chain: Chain, k: int) -> list[Codes]:
    """Cut the chain into runs of k to 2k − 1 rows with the fewest stars. O(k² · rows · columns)."""
    turns = min(2 * k - 1, chain.rows.size) if chain.is_ring else 1
    return min((_cut(problem, np.roll(chain.rows, -turn), k) for turn in range(turns)), key=lambda found: found[0])[1]


def _cut(problem: SuppressionProblem, rows: Codes, k: int) -> tuple[float, list[Codes]]:
    """The cost of the cheapest runs from the first row to the last, and the runs."""
    costs, lasts = [0.0], [0]
    for end in range(1, rows.size + 1):
        starts = range(max(0, end - 2 * k + 1), max(0, end - k + 1))
        whole = [(costs[start] + (end - start) * problem.stars(rows[start:end]), start) for start in starts]
        best = min(whole, default=(inf, 0))
        costs.append(best[0])
        lasts.append(best[1])
    runs: list[Codes] = []
    end = rows.size
    while end:
        runs.append(rows[lasts[end] : end])
        end = lasts[end]
    return costs[-1], runs
