"""A greedy cover by balls: the rows within a distance of one row."""

from __future__ import annotations

import numpy as np

from shoal.algorithms.suppression.cover import Cover, nothing
from shoal.algorithms.suppression.problem import Problem
from shoal.core.progress import Progress
from shoal.kernels.cover import count_balls, pick_balls

_AT_ONCE = 1000


def cover_by_balls(problem: Problem, k: int, progress: Progress) -> Cover:
    """Groups of k to 2k − 1 rows, each pick the ball of least radius per row that it covers first.

    Why the factor is what it is: a group of the best partition with diameter d lies in a ball of radius d around any
    of its rows, and no pick costs more per row than such a ball would. So the radii sum up to H(2k − 1) times the
    best diameters at most, and diameters are at most twice the radii. Undoing overlaps does not let their sum grow.
    A group of s rows and diameter d has at least s · d and at most s · (s − 1) · d stars.
    """
    n = problem.n_rows
    progress.stage("measuring distances", float(n))
    counts = np.zeros((n, problem.n_columns + 1), np.int32)
    for start in range(0, n, _AT_ONCE):
        count_balls(problem.codes, counts, start, min(n, start + _AT_ONCE))
        progress.advance(float(min(n, start + _AT_ONCE) - start))
    totals, radii = counts.copy(), np.full(n, -1, np.int64)
    homes, turns, sizes = nothing(n)
    progress.stage("covering", float(n))
    n_left = n
    while n_left:
        pick_balls(problem.codes, k, totals, counts, homes, sizes, turns, radii, _AT_ONCE)
        before, n_left = n_left, int((homes < 0).sum())
        progress.advance(float(before - n_left))
    return Cover(homes, turns, radii[: int(turns.max()) + 1].astype(np.float64))
