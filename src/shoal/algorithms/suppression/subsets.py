"""A greedy cover by all sets of k to 2k − 1 rows, for tables with few of them."""

from __future__ import annotations

from itertools import chain, combinations
from math import comb

import numpy as np

from shoal.algorithms.suppression.cover import Cover, nothing
from shoal.algorithms.suppression.problem import SuppressionProblem
from shoal.core.arrays import Offsets
from shoal.core.progress import Progress
from shoal.kernels.cover import take

MOST_SUBSETS = 1_000_000


def n_subsets(n_rows: int, k: int) -> int:
    """The number of sets of k to 2k − 1 rows."""
    return sum(comb(n_rows, size) for size in range(k, 2 * k))


def cover_by_subsets(problem: SuppressionProblem, k: int, progress: Progress) -> Cover:
    """Groups of k to 2k − 1 rows; each pick is the set with the least diameter per newly covered row."""
    n = problem.n_rows
    progress.stage("covering", float(n))
    sets = [_sets(n, size) for size in range(k, min(n, 2 * k - 1) + 1)]
    apart = (problem.codes[:, :, None] != problem.codes[:, None, :]).sum(axis=0)
    diameters = np.concatenate([_diameters(apart, some) for some in sets])
    homes, turns, sizes = nothing(n)
    prices: list[float] = []
    n_groups = 0
    while (homes < 0).any():
        fresh = np.concatenate([(homes[some] < 0).sum(axis=1) for some in sets])
        ratios = np.where(fresh > 0, diameters / np.maximum(fresh, 1), np.inf)
        best = int(np.lexsort((-fresh, ratios))[0])
        n_groups, covered = take(_member(sets, best), homes, sizes, k, n_groups)
        turns[covered] = len(prices)
        prices.append(float(diameters[best]))
        progress.advance(float(covered.size))
    return Cover(homes, turns, np.array(prices))


def _sets(n: int, size: int) -> Offsets:
    """All sets of ``size`` rows, one per line."""
    flat = chain.from_iterable(combinations(range(n), size))
    return np.fromiter(flat, np.int64, comb(n, size) * size).reshape(-1, size)


def _diameters(apart: Offsets, sets: Offsets) -> Offsets:
    """The largest distance inside each set."""
    largest = np.zeros(len(sets), np.int64)
    for one, other in combinations(range(sets.shape[1]), 2):
        np.maximum(largest, apart[sets[:, one], sets[:, other]], out=largest)
    return largest


def _member(sets: list[Offsets], number: int) -> Offsets:
    """The set with that number."""
    for some in sets:
        if number < len(some):
            return np.ascontiguousarray(some[number])
        number -= len(some)
    raise IndexError(number)
