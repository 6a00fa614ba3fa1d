"""Simulated annealing from MDAV's groups: hot at first, then ever colder until the time is over."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.core.arrays import Floats, Offsets
from shoal.core.progress import Progress
from shoal.core.randomness import Randomness
from shoal.kernels.compiled import working_time
from shoal.kernels.microaggregation import neighbours
from shoal.kernels.microaggregation_search import anneal

_NEIGHBOURS = 20
_SLICE = 50_000
"""Proposals at one temperature."""

_HOT, _COLD = 1.0, 0.001
"""The temperatures at the start and at the end, in squared errors per row of the start."""


@dataclass(frozen=True)
class Patience:
    """How long to search: so many seconds, or so many proposals where every run is to come out the same."""

    seconds: float
    steps: int = 0

    def shared(self, share: float) -> Patience:
        """What is left for a part of the rows."""
        return Patience(self.seconds * share, int(np.ceil(self.steps * share)))


def squared_error(points: Floats, homes: Offsets) -> float:
    """The sum of the squared distances of rows to the mean of their group. O(rows · dimensions)."""
    sizes = np.maximum(1, np.bincount(homes))
    means = np.array([np.bincount(homes, column) for column in points.T]).T / sizes[:, None]
    return float(((points - means[homes]) ** 2).sum())


def improved(
    points: Floats, homes: Offsets, k: int, patience: Patience, randomness: Randomness, progress: Progress
) -> Offsets:
    """Groups of k to 2k − 1 rows with no larger squared error than those given, which have such sizes themselves.

    The temperature falls geometrically with the time that is spent; a last slice at none at all takes only what helps.
    """
    if points.shape[0] < 2 * k or k < 2 or not (points**2).any():
        return homes
    near = neighbours(points, min(_NEIGHBOURS, points.shape[0] - 1))
    state = randomness.integers(2**32 - 1, 1).astype(np.int64) + 1
    best, least = homes.copy(), squared_error(points, homes)
    now, unit, began, done, spent = homes.copy(), least / points.shape[0], working_time(), 0, 0.0
    while spent < 1.0:
        n_steps = min(_SLICE, patience.steps - done) if patience.steps else _SLICE
        anneal(points, near, k, now, n_steps, unit * _HOT * (_COLD / _HOT) ** spent, state)
        done += n_steps
        before = spent
        spent = done / patience.steps if patience.steps else (working_time() - began) / max(patience.seconds, 1e-9)
        progress.advance(points.shape[0] * (min(spent, 1.0) - before))
        if (error := squared_error(points, now)) < least:
            best, least = now.copy(), error
    anneal(points, near, k, now, _SLICE, 0.0, state)
    return now if squared_error(points, now) < least else best
