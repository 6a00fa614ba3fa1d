"""Park and Shim: cover the rows by patterns that star little, greedily."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from shoal.algorithms.suppression.patterns import MOST_PATTERNS, cover_by_patterns
from shoal.algorithms.suppression.problem import SuppressionProblem, published
from shoal.core.contracts import Algorithm, Goal, GroupModel
from shoal.core.goal_feasibility import require_possible
from shoal.core.progress import Progress
from shoal.core.randomness import Randomness
from shoal.core.release import Release
from shoal.core.table import Table
from shoal.errors import InputError


@dataclass(frozen=True)
class ParkShim(Algorithm):
    """A greedy cover by stars: at most 2 · (1 + ln 2k) times the fewest stars, by weight.

    It repeatedly takes the set of k to 2k − 1 rows with the fewest stars (those of one record) per newly covered row;
    overlapping sets give up rows or are merged. The exact factor is (2k − 1)/k · H(2k − 1), with H(m) = 1 + 1/2 + … +
    1/m: far below the other algorithms with a guarantee.

    There are O(n^(2k)) such sets. But rows that can be starred alike are the rows of a pattern, so it is enough to
    examine all patterns with k rows, at most n · 2^columns, and the best set of each: the choices are the same. Tables
    with more than 2^25 of them are refused: 30,162 rows of ten columns.

    The guarantee is for k-anonymity with cells that are kept or starred. With other recodings the groups are published
    with their smallest cells, which lose no more. Groups that break a promise beyond class size are merged with others.

    Cost: O(n · 2^columns) time and memory, and O(n) for each set that is taken.

    Reference: Park and Shim 2007, Approximate Algorithms for k-Anonymity; Ciriani et al. 2007, k-Anonymity (section
    3.2.3).

    >>> import polars as pl
    >>> import shoal
    >>> table = pl.DataFrame({"sex": ["m", "m", "f", "f"], "town": ["Ely", "Ripon", "Truro", "Truro"]})
    >>> words = {"quasi_identifiers": ["sex", "town"], "recodings": {"sex": "suppress", "town": "suppress"}}
    >>> release = shoal.anonymize(table, algorithm=shoal.ParkShim(), privacy=shoal.KAnonymity(2), **words)
    >>> sorted(set(release.to_frame().rows()))
    [('f', 'Truro'), ('m', '*')]
    """

    name: ClassVar[str] = "park-shim"
    summary: ClassVar[str] = "cover rows by what is starred, greedily (at most 2 + 2 ln 2k times the fewest stars)"
    serves = (GroupModel,)
    asks_about_cells: ClassVar[bool] = True
    is_local: ClassVar[bool] = True

    def refuse(self, table: Table, goal: Goal) -> None:
        """Refuse tables that are too large."""
        super().refuse(table, goal)
        problem = SuppressionProblem.of(table)
        if problem.n_rows << problem.n_columns > MOST_PATTERNS:
            raise InputError(
                f"The algorithm {self.name!r} takes tables whose rows times 2^columns are at most {MOST_PATTERNS:,}, "
                f"this one has {problem.n_rows:,} rows and {problem.n_columns} columns with more than one value; "
                f"choose 'forest', which has a guarantee too, or fewer columns."
            )

    def run(self, table: Table, goal: Goal, randomness: Randomness, progress: Progress) -> Release:
        """Cover, and give each group its smallest permitted cells."""
        require_possible(table, goal)
        return published(table, goal, cover_by_patterns(SuppressionProblem.of(table), goal.floor, progress).groups)
