"""The exact solution as an algorithm."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Literal, get_args

from shoal.algorithms.patterns.assignment import Assignment
from shoal.algorithms.patterns.base import PatternAlgorithm
from shoal.algorithms.patterns.exact import Exact, ExactAssignment
from shoal.algorithms.patterns.pattern_search import candidates, cheapest
from shoal.algorithms.patterns.problem import PatternProblem
from shoal.core.contracts import Goal
from shoal.core.parameters import real_number
from shoal.core.progress import Progress
from shoal.core.randomness import Randomness
from shoal.core.table import Table
from shoal.errors import GoalNotMet, InputError, did_you_mean
from shoal.models import KAnonymity

Method = Literal["program", "matching", "guess"]


@dataclass(frozen=True)
class PatternExact(PatternAlgorithm):
    """Suppress cells by allowed patterns only, as few as possible.

    The greedy heuristic and a search give a first solution; a bound per row proves it optimal if it is tight. Otherwise
    an integer program is written for the instances that at least k rows could share. Instances with the same rows as a
    cheaper one are left out, rows with the same options count as one, and parts without common rows are solved
    separately. After ``time_limit`` seconds the best solution found is published, with a claim that says how far from
    the minimum it may be.

    ``method="matching"`` solves k = 2 in polynomial time, by cheapest perfect matchings (Theorem 2): up to 400 rows.
    ``method="guess"`` solves tiny tables by trying every set of classes instead, for comparison (Theorem 3).

    Cost: exponential at worst; NP-hard for k ≥ 3 even with two patterns and three columns (Theorem 1).

    Reference: Bredereck, Nichterlein and Niedermeier 2013, Pattern-Guided k-Anonymity (section 2.2).

    >>> import polars as pl
    >>> import shoal
    >>> table = pl.DataFrame({"sex": ["m", "m", "f", "f"], "town": ["Ely", "Ripon", "Truro", "Truro"]})
    >>> words = {"quasi_identifiers": ["sex", "town"], "privacy": shoal.KAnonymity(2)}
    >>> release = shoal.anonymize(table, algorithm=shoal.PatternExact(), **words)
    >>> sorted(set(release.to_frame().rows()))
    [('f', 'Truro'), ('m', '*')]
    """

    time_limit: float = 300.0
    method: Method = "program"

    name: ClassVar[str] = "patterns-exact"
    summary: ClassVar[str] = (
        "suppress as few cells as possible by the patterns you allow (proven; slow on large tables)"
    )
    serves = (KAnonymity,)

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "time_limit", real_number("time_limit", self.time_limit, least=0))
        if self.method not in get_args(Method):
            raise InputError(f"There is no method {self.method!r}.{did_you_mean(self.method, get_args(Method))}")

    def refuse(self, table: Table, goal: Goal) -> None:
        """Refuse what the method cannot do, and what every algorithm refuses."""
        super().refuse(table, goal)
        if self.method == "matching" and goal.floor != 2:
            raise InputError(f"The method 'matching' is for k = 2, got k = {goal.floor}; use the method 'program'.")
        if self.method == "matching" and goal.suppression_limit:
            raise InputError(
                f"The method 'matching' leaves no row out, got the suppression limit {goal.suppression_limit}; "
                "set it to 0, or use the method 'program'."
            )

    def assign(self, problem: PatternProblem, goal: Goal, randomness: Randomness, progress: Progress) -> Assignment:
        """The best assignment found."""
        solution = self.solve(problem, goal, randomness, progress)
        progress.stage(str(solution))
        return replace(solution.assignment, bound=solution.bound)

    def solve(self, problem: PatternProblem, goal: Goal, randomness: Randomness, progress: Progress) -> ExactAssignment:
        """The best assignment with a bound on all others."""
        spare = goal.most_suppressed(problem.table.n_rows)
        exact = Exact(problem, goal.floor, spare, self.time_limit)
        if self.method == "guess":
            return exact.guess()
        start = _start(problem, goal, randomness, progress)
        return exact.match(start, progress) if self.method == "matching" else exact.solve(start, progress)


def _start(problem: PatternProblem, goal: Goal, randomness: Randomness, progress: Progress) -> Assignment | None:
    """A good assignment that keeps every promise; None if neither greedy nor search finds one."""
    try:
        return cheapest(candidates(problem, goal, randomness, progress, effort=5), goal)
    except GoalNotMet:
        return None
