"""The proven least number of stars: bounds, reductions, and the integer program for the rest."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, isfinite

import numpy as np

from shoal.algorithms.patterns.assignment import Assignment
from shoal.algorithms.patterns.class_guessing import guess
from shoal.algorithms.patterns.instances import Sharing, parts, reduced, row_bound, share
from shoal.algorithms.patterns.integer_program import Outside, Solved, solve
from shoal.algorithms.patterns.pairing import Pairing
from shoal.algorithms.patterns.problem import PatternProblem
from shoal.algorithms.patterns.simplex import descend
from shoal.core.progress import Progress
from shoal.errors import GoalNotMet, InputError
from shoal.kernels.compiled import working_time

_MOST_PAIRS = 5_000_000
"""Programs with more pairs of a row and an instance are too large for HiGHS."""

MOST_MATCHED = 400
"""Matching more rows than this takes too long."""


@dataclass(frozen=True, eq=False)
class ExactAssignment:
    """An assignment, and a lower bound on the cost of any: it is optimal if both are equal."""

    assignment: Assignment
    bound: float

    @property
    def gap(self) -> float:
        """How far the cost may exceed the least possible one, as a share of the cost."""
        cost = self.assignment.cost
        return max(0.0, (cost - self.bound) / cost) if cost > 0 else 0.0

    @property
    def is_proven(self) -> bool:
        """Whether no assignment costs less."""
        return self.assignment.cost - self.bound <= 1e-6 * max(1.0, self.assignment.cost)

    def __str__(self) -> str:
        if self.is_proven:
            return f"cost {self.assignment.cost:,.6g}, proven least"
        return f"cost {self.assignment.cost:,.6g}, at most {self.gap:.2%} above the least"


@dataclass(frozen=True)
class Exact:
    """Solves one table: at least ``floor`` rows per class, at most ``spare`` rows left out, within a time limit."""

    problem: PatternProblem
    floor: int
    spare: int
    seconds: float

    @property
    def outside(self) -> Outside:
        """The rules for rows that are in no instance."""
        return Outside(False, self.problem.mask.star >= 0, self.spare)

    def solve(self, start: Assignment | None, progress: Progress) -> ExactAssignment:
        """The best assignment that can be found and proven in time; ``start``, if given, must keep every promise.

        Raises:
            GoalNotMet: no assignment was found, and there was none to start with.
        """
        bound = row_bound(self.problem, self.floor)
        if start is not None and start.cost <= bound + 1e-6:
            return ExactAssignment(start, bound)
        progress.stage("writing the program")
        sharing = share(self.problem, self.floor, most=_MOST_PAIRS)
        if sharing is None:
            return _better(start, None, bound)
        until = working_time() + self.seconds
        sharing = reduced(sharing)
        found, least = self._in_parts(sharing, start, until, progress)
        if found.left.size <= self.spare:
            return _better(start, found, max(bound, least))
        whole, least = self._at_once(sharing, start, until, max(bound, least), progress)
        return _better(start, whole, max(bound, least))

    def guess(self) -> ExactAssignment:
        """The best assignment, found by trying every set of classes; verifies ``solve`` on tiny tables.

        Raises:
            InputError: the table is not tiny.
            GoalNotMet: there is no assignment.
        """
        sharing = share(self.problem, self.floor, most=_MOST_PAIRS)
        outcome = None if sharing is None else guess(sharing, self.floor, self.outside)
        if sharing is None or outcome is None:
            return _better(None, None, 0.0)
        found = self._starred(sharing.assignment(self.problem, outcome.homes))
        return ExactAssignment(found, outcome.bound)

    def match(self, start: Assignment | None, progress: Progress) -> ExactAssignment:
        """The best assignment into classes of two rows or more, leaving out no row, in polynomial time (Theorem 2).

        Raises:
            InputError: the table is too large.
            GoalNotMet: there is no assignment.
        """
        sharing = share(self.problem, 2, most=_MOST_PAIRS) if self.problem.table.n_rows <= MOST_MATCHED else None
        if sharing is None:
            raise InputError(
                f"The method 'matching' takes at most {MOST_MATCHED:,} rows and {_MOST_PAIRS:,} pairs of a row and a "
                f"possible class, this table has {self.problem.table.n_rows:,} rows; use the method 'program'."
            )
        pairing = Pairing(self.problem, reduced(sharing))
        odd = () if start is None or start.left.size else pairing.odd_of(start)
        odd, found, proven = descend(pairing, odd, working_time() + self.seconds, progress)
        best = pairing.assignment(odd, found)
        if best.left.size:
            return _better(None, None, 0.0)
        return ExactAssignment(best, best.cost if proven else row_bound(self.problem, 2))

    def _in_parts(
        self, sharing: Sharing, start: Assignment | None, until: float, progress: Progress
    ) -> tuple[Assignment, float]:
        """The best assignment if any number of rows may stay outside, and a bound: independent parts, one by one."""
        chosen = np.full(self.problem.table.n_rows, -1, np.int32)
        pieces = sorted(parts(sharing), key=lambda piece: piece.instances.members.size)
        least = (chosen.size - sum(piece.rows.members.size for piece in pieces)) * sharing.full
        progress.stage("solving the program", sharing.instances.members.size)
        for piece in pieces:
            homes = np.full(piece.rows.members.size, piece.outside, np.int32)
            outcome = Solved(homes if start is None else piece.homes(start), piece.row_bound)
            if working_time() < until:
                outcome = solve(piece, self.floor, Outside(), outcome.homes, until - working_time()) or outcome
            chosen[piece.rows.members] = np.append(piece.patterns, -1)[outcome.homes]
            least += max(piece.row_bound, _rounded(outcome, piece))
            progress.advance(piece.instances.members.size)
        return self._starred(Assignment(self.problem.table, self.problem.mask, chosen)), least

    def _at_once(
        self, sharing: Sharing, start: Assignment | None, until: float, least: float, progress: Progress
    ) -> tuple[Assignment | None, float]:
        """The best assignment with a permitted number of rows outside, and a bound: the whole program."""
        progress.stage("solving the whole program")
        given = None if start is None else sharing.homes(start)
        outcome = solve(sharing, self.floor, self.outside, given, until - working_time())
        if outcome is None:
            return None, least
        return self._starred(sharing.assignment(self.problem, outcome.homes)), _rounded(outcome, sharing)

    def _starred(self, found: Assignment) -> Assignment:
        """Give rows outside the all-star pattern if they are enough for a class; else they are left out."""
        enough = self.problem.mask.star >= 0 and found.left.size >= self.floor
        return found.with_pattern(found.left, self.problem.mask.star) if enough else found


def _better(start: Assignment | None, found: Assignment | None, bound: float) -> ExactAssignment:
    candidates = [assignment for assignment in (start, found) if assignment is not None]
    if not candidates:
        raise GoalNotMet(
            "No assignment of rows to the allowed patterns was found that keeps every promise; let outliers be "
            "starred, allow more patterns, or give more time."
        )
    return ExactAssignment(min(candidates, key=lambda assignment: assignment.cost), bound)


def _rounded(outcome: Solved, sharing: Sharing) -> float:
    """The bound, rounded up to the next possible cost if all costs are integers.

    A program that ran out of time before its relaxation was solved gives no bound: minus infinity.
    """
    is_whole = sharing.has_whole_costs and isfinite(outcome.bound)
    bound = float(ceil(outcome.bound - 1e-6)) if is_whole else outcome.bound
    return min(sharing.cost(outcome.homes), bound)
