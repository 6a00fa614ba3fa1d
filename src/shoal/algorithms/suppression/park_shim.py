"""Park and Shim: cover the rows by patterns that star little, greedily."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from shoal.algorithms.suppression.patterns import MOST_PATTERNS, cover_by_patterns
from shoal.algorithms.suppression.problem import Problem, published, require_possible
from shoal.core.contracts import Algorithm, Goal, GroupModel
from shoal.core.progress import Progress
from shoal.core.randomness import Randomness
from shoal.core.release import Release
from shoal.core.table import Table
from shoal.errors import InputError


@dataclass(frozen=True)
class ParkShim(Algorithm):
    """The greedy cover by what is starred: at most 2 · (1 + ln 2k) times the fewest stars, by weight.

    Again and again the set of k to 2k − 1 rows is taken that needs the least stars (those of one record) for each
    row it covers first; where sets overlap, rows are taken out of one of them or the two are united. The factor is
    (2k − 1)/k · H(2k − 1) precisely, with H(m) = 1 + 1/2 + … + 1/m: far below the other algorithms with a guarantee.

    There are O(n^(2k)) such sets. But rows that can be starred alike are the rows of a pattern, so instead of all sets
    only all patterns with k rows are looked at, n · 2^columns at most, and of each the best set: the same choices.
    Tables with more than 2^25 of them are refused: 30,162 rows of ten columns. O(n · 2^columns) time and memory, and
    O(n) for each set that is taken.

    The guarantee is for k-anonymity where cells are kept or starred. With other recodings the groups are published
    with their smallest cells, which lose no more. Groups that break a promise beyond size are joined with others.

    Reference: Park and Shim 2007; Ciriani et al., k-Anonymity (section 3.2.3).

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
        problem = Problem.of(table)
        if problem.n_rows << problem.n_columns > MOST_PATTERNS:
            raise InputError(
                f"The algorithm {self.name!r} takes tables whose rows times 2^columns are at most {MOST_PATTERNS:,}, "
                f"this one has {problem.n_rows:,} rows and {problem.n_columns} columns with more than one value; "
                f"choose 'forest', which has a guarantee too, or fewer columns."
            )

    def run(self, table: Table, goal: Goal, randomness: Randomness, progress: Progress) -> Release:
        """Cover, and give each group its smallest permitted cells."""
        require_possible(table, goal)
        return published(table, goal, cover_by_patterns(Problem.of(table), goal.floor, progress).groups)
