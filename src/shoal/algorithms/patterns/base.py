"""What all pattern algorithms share: the rules as options, and the steps from an assignment to a release."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, replace

from shoal.algorithms.patterns.assignment import Assignment, settle
from shoal.algorithms.patterns.claims import AllowedPatterns, FewestStars
from shoal.algorithms.patterns.instances import refuse_hopeless
from shoal.algorithms.patterns.mask import make_mask
from shoal.algorithms.patterns.problem import PatternProblem
from shoal.algorithms.patterns.rules import Rules
from shoal.core.contracts import Algorithm, Goal
from shoal.core.progress import Progress
from shoal.core.randomness import Randomness
from shoal.core.release import Claim, Release
from shoal.core.table import Table


@dataclass(frozen=True)
class PatternAlgorithm(Rules, Algorithm):
    """Each record keeps or stars its quasi-identifiers according to one of the allowed patterns.

    The options are those of ``Rules``; without any, every combination of stars is allowed.
    """

    def refuse(self, table: Table, goal: Goal) -> None:
        """Refuse rules that do not fit the table, and what every algorithm refuses."""
        super().refuse(table, goal)
        make_mask(self, table.quasi)

    def run(self, table: Table, goal: Goal, randomness: Randomness, progress: Progress) -> Release:
        """Assign patterns to rows, handle the rows that no pattern fits, and publish."""
        problem = PatternProblem(table, make_mask(self, table.quasi), int(randomness.words(1)[0]))
        if problem.mask.star < 0:
            refuse_hopeless(problem, goal.floor, goal.most_suppressed(table.n_rows))
        found = settle(self.assign(problem, goal, randomness, progress), goal)
        return replace(found.release(), claims=self._proof(found, goal))

    def claims(self, table: Table, goal: Goal) -> tuple[Claim, ...]:
        """Claim that cells are only blanked as the rules allow."""
        return (*super().claims(table, goal), AllowedPatterns(self))

    def _proof(self, found: Assignment, goal: Goal) -> tuple[Claim, ...]:
        """How close to the fewest stars the result is, if known."""
        if found.bound is None:
            return ()
        return (
            FewestStars(
                goal.metric,
                found.cost,
                found.bound,
                kind="way to blank cells",
                prices=self.costs,
                with_levels=found.mask.has_levels,
            ),
        )

    @abstractmethod
    def assign(self, problem: PatternProblem, goal: Goal, randomness: Randomness, progress: Progress) -> Assignment:
        """A pattern for every row that one fits, such that every class keeps every promise."""
