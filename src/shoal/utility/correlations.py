"""Correlations: how far they are from those of the original."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import ClassVar

import numpy as np

from shoal.core.arrays import Floats
from shoal.core.table import Table
from shoal.utility.contract import Utility
from shoal.utility.spread import Spread, points_of


@dataclass(frozen=True)
class Correlations(Utility):
    """Mean absolute difference of the correlations of ordered columns, over all pairs of them.

    Numbers and dates count by their value, ordinal values by their rank; a cell's records are spread over its values,
    so they vary inside it and independently of other columns. O(pairs · (rows + shapes)).
    """

    name: ClassVar[str] = "correlations"
    summary: ClassVar[str] = "mean difference of the correlations of two ordered columns"

    def measure(self, table: Table, spread: Spread) -> float | None:
        """The mean over pairs; None if there are fewer than two ordered columns."""
        ordered = [j for j, column in enumerate(table.quasi) if column.domain.is_ordered]
        if len(ordered) < 2:
            return None
        before, after = _before(table, ordered), _after(spread, ordered)
        pairs = combinations(range(len(ordered)), 2)
        return float(np.mean([abs(before[pair] - after[pair]) for pair in pairs]))


def _before(table: Table, columns: list[int]) -> Floats:
    points = np.array([np.nan_to_num(points_of(table.quasi[j].domain))[table.codes[j]] for j in columns])
    return _correlations(points, (points**2), np.ones(table.n_rows))


def _after(spread: Spread, columns: list[int]) -> Floats:
    moments = [spread.moments(j) for j in columns]
    return _correlations(
        np.array([mean for mean, _ in moments]),
        np.array([square for _, square in moments]),
        spread.weights.astype(float),
    )


def _correlations(means: Floats, squares: Floats, weights: Floats) -> Floats:
    """Compute correlations from the means of each shape; 0 if a column does not vary."""
    shares = weights / max(1.0, float(weights.sum()))
    centred = means - (means @ shares)[:, None]
    deviations = np.sqrt(np.maximum(squares @ shares - (means @ shares) ** 2, 0.0))
    covariances: Floats = (centred * shares) @ centred.T
    scale = np.outer(deviations, deviations)
    found: Floats = np.divide(covariances, scale, out=np.zeros_like(covariances), where=scale > 1e-12)
    return found
