"""The greedy heuristic as an algorithm."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from shoal.algorithms.patterns.assignment import Assignment
from shoal.algorithms.patterns.base import PatternAlgorithm
from shoal.algorithms.patterns.greedy import cover
from shoal.algorithms.patterns.problem import PatternProblem
from shoal.core.contracts import Goal, GroupModel
from shoal.core.progress import Progress
from shoal.core.randomness import Randomness


@dataclass(frozen=True)
class PatternGreedy(PatternAlgorithm):
    """Suppress cells by allowed patterns only, the cheapest pattern first (Algorithm 1).

    Each pattern in turn, by ascending cost, takes every class of rows without a pattern that keeps all promises. It
    needs at most m times the minimum number of stars for m columns, and this bound is tight; on real tables it is close
    to the minimum.

    Differs from the paper: any promises about groups, levels of hierarchies, weights; and a remainder of fewer than k
    rows is never published as a class of its own (see ``remainder``).

    Cost: O(rows · patterns) time: all 16,384 patterns on Adult take 0.03 to 0.2 s.

    Reference: Bredereck, Nichterlein and Niedermeier 2013, Pattern-Guided k-Anonymity (section 2.3).

    >>> import polars as pl
    >>> import shoal
    >>> table = pl.DataFrame({"sex": ["m", "m", "f", "f"], "town": ["Ely", "Ripon", "Truro", "Truro"]})
    >>> words = {"quasi_identifiers": ["sex", "town"], "privacy": shoal.KAnonymity(2)}
    >>> release = shoal.anonymize(table, algorithm=shoal.PatternGreedy(never=("sex",)), **words)
    >>> sorted(set(release.to_frame().rows()))
    [('f', 'Truro'), ('m', '*')]
    """

    name: ClassVar[str] = "patterns"
    summary: ClassVar[str] = "suppress cells by the patterns you allow, the cheapest first (fast)"
    serves = (GroupModel,)

    def assign(self, problem: PatternProblem, goal: Goal, randomness: Randomness, progress: Progress) -> Assignment:
        """The greedy's assignment."""
        return cover(problem, goal, progress)
