"""Lower bounds on the cost of any assignment."""

from __future__ import annotations

import numpy as np

from shoal.algorithms.patterns.problem import PatternProblem
from shoal.algorithms.patterns.remainder import named
from shoal.core.arrays import Codes
from shoal.errors import InputError
from shoal.kernels.patterns_share import cheapest


def cheapest_patterns(problem: PatternProblem, floor: int) -> Codes:
    """For each distinct row, the cheapest pattern under which ``floor`` rows are equal; −1 if there is none.

    O(rows · patterns), a few nanoseconds each.
    """
    first: Codes = cheapest(problem.planes, problem.lines, problem.idle, problem.weights, floor)
    return first


def row_bound(problem: PatternProblem, floor: int) -> float:
    """What all rows pay if each has the cheapest pattern that enough rows could share with it, ignoring conflicts."""
    costs = np.append(problem.mask.costs, problem.mask.full)
    return float(costs[cheapest_patterns(problem, floor)] @ problem.weights)


def refuse_hopeless(problem: PatternProblem, floor: int, spare: int) -> None:
    """Refuse rules under which too many rows are alone whatever the pattern.

    Raises:
        InputError: more such rows than may be suppressed; the message lists some.
    """
    lone = cheapest_patterns(problem, floor)[problem.table.distinct.ids] < 0
    rows = np.flatnonzero(lone).astype(np.int32)
    if rows.size > spare:
        raise InputError(
            f"No allowed pattern makes {named(problem.table, rows)} equal to {floor - 1:,} other rows, and starring "
            "outliers is forbidden; allow it, or allow patterns with more stars."
        )
