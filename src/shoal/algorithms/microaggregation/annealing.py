"""Simulated annealing from MDAV's groups: two cycles, each from hot to cold."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from shoal.algorithms.microaggregation.optimal import Pool
from shoal.core.arrays import Floats, Offsets
from shoal.core.progress import Progress
from shoal.core.randomness import Randomness
from shoal.kernels.compiled import working_time
from shoal.kernels.microaggregation import neighbours
from shoal.kernels.microaggregation_search import anneal

_NEIGHBOURS = 20
_SLICE = 50_000
"""Proposals per temperature."""

_HOT, _COLD = 30.0, 0.0005
"""The temperatures at the start and at the end, in squared errors per row of the start.

The start is so hot that groups of outliers, which cost a hundred times as much as others, still change.
"""

_CYCLES = 2
_RECOMBINING = 0.1
"""The share of the time that recombining groups may take."""

_REMEMBERED = 0.7
"""From this part of a cycle on, groups are recorded, though not in every slice."""

_OFTEN = 25


@dataclass(frozen=True)
class Patience:
    """How long to search: in seconds, or in proposals if every run must give the same result."""

    seconds: float
    steps: int = 0

    def shared(self, share: float) -> Patience:
        """The amount for a share of the work."""
        return Patience(self.seconds * share, int(np.ceil(self.steps * share)))


def squared_error(points: Floats, homes: Offsets) -> float:
    """The sum of the squared distances of rows to the mean of their group. O(rows · dimensions)."""
    sizes = np.maximum(1, np.bincount(homes))
    means = np.array([np.bincount(homes, column) for column in points.T]).T / sizes[:, None]
    return float(((points - means[homes]) ** 2).sum())


def improved(
    points: Floats, homes: Offsets, k: int, patience: Patience, randomness: Randomness, progress: Progress
) -> Offsets:
    """Groups of k to 2k − 1 rows with no larger squared error than the given ones, which must have such sizes too.

    In two cycles, the temperature falls geometrically with the time spent, and a last slice at temperature zero accepts
    only improvements. The best partition is then combined from all groups that came up at low temperatures.
    """
    if points.shape[0] < 2 * k or k < 2 or not (points**2).any():
        return homes
    near = neighbours(points, min(_NEIGHBOURS, points.shape[0] - 1))
    state = randomness.integers(2**32 - 1, 1).astype(np.int64) + 1
    unit, pool, now, found = squared_error(points, homes) / points.shape[0], Pool(points), homes.copy(), [homes]
    own = patience.shared((1 if patience.steps else 1 - _RECOMBINING) / _CYCLES)
    for _ in range(_CYCLES):
        for number, spent in enumerate(_cycle(points, near, k, now, unit, own, state)):
            if spent >= 1.0 or (spent > _REMEMBERED and number % _OFTEN == 0):
                pool.add(now)
        progress.advance(points.shape[0] / _CYCLES)
        found.append(now.copy())
    best = min(found, key=lambda each: squared_error(points, each))
    limit = None if patience.steps else _RECOMBINING * patience.seconds
    return min(best, pool.recombined(best, limit), key=lambda each: squared_error(points, each))


def _cycle(
    points: Floats, near: Offsets, k: int, now: Offsets, unit: float, patience: Patience, state: Offsets
) -> Iterator[float]:
    """Change ``now`` slice by slice from hot to cold; yields the share of the time spent, 1 at the end."""
    began, done, spent = working_time(), 0, 0.0
    while spent < 1.0:
        n_steps = min(_SLICE, patience.steps - done) if patience.steps else _SLICE
        anneal(points, near, k, now, n_steps, unit * _HOT * (_COLD / _HOT) ** spent, state)
        done += n_steps
        spent = done / patience.steps if patience.steps else (working_time() - began) / max(patience.seconds, 1e-9)
        if spent < 1.0:
            yield spent
    anneal(points, near, k, now, _SLICE, 0.0, state)
    yield 1.0
