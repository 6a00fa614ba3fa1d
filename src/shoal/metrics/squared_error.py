"""Squared error: the share of variance lost if every value is replaced by the mean of its class."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from shoal.core.arrays import Codes, Offsets
from shoal.core.contracts import Metric
from shoal.core.release import Release
from shoal.core.standard_scores import leaf_scores
from shoal.core.table import QuasiColumn

_HAIR = 1e-12
"""A column with a smaller share of differing pairs counts as constant; the rest is rounding."""


@dataclass(frozen=True)
class SquaredError(Metric):
    """SSE / SST on standardized columns: the information loss of the literature on microaggregation, as a share.

    SSE adds up the squared distances of rows to the mean of their class (of the whole column for suppressed rows), SST
    those to the mean of the column. Numbers and dates count by z-scores, ordinal values by ranks, and a nominal column
    by one indicator per value.

    Cost: O(rows · log rows) for each column.

    Reference: Domingo-Ferrer and Mateo-Sanz 2002, Practical Data-Oriented Microaggregation for Statistical Disclosure
    Control (IL, in percent).

    >>> import polars as pl
    >>> import shoal
    >>> from shoal.metrics import SquaredError
    >>> table = pl.DataFrame({"zip": ["02139", "02138", "02142", "02141"]})
    >>> words = {"quasi_identifiers": ["zip"], "hierarchies": {"zip": "mask"}, "privacy": shoal.KAnonymity(2)}
    >>> release = shoal.anonymize(table, levels=[1], **words).release  # 0213*, 0213*, 0214*, 0214*
    >>> round(float(SquaredError().score(release)), 3)
    0.667
    """

    name: ClassVar[str] = "squared_error"
    summary: ClassVar[str] = "share of the variance lost if values become the mean of their class"
    is_monotone: ClassVar[bool] = True

    def score(self, release: Release) -> float:
        """The lost share of variance; 0 if every column is constant."""
        table, classes = release.table, release.classes
        homes = classes.ids(table.n_rows).astype(np.int64) + 1
        sizes = np.maximum(1, np.bincount(homes, minlength=len(classes) + 1))
        lost = total = 0.0
        for column, codes in zip(table.quasi, table.codes, strict=True):
            measure = _of_points if column.domain.is_ordered else _of_indicators
            own_lost, own_total = measure(column, codes, homes, sizes)
            lost, total = lost + column.weight * own_lost, total + column.weight * own_total
        return lost / total if total > 0 else 0.0


def _of_points(column: QuasiColumn, codes: Codes, homes: Offsets, sizes: Offsets) -> tuple[float, float]:
    """SSE and SST of a column with few dimensions, summed over its dimensions."""
    lost = total = 0.0
    for scores in leaf_scores(column).T:
        values = scores[codes]
        means = np.bincount(homes, values, sizes.size) / sizes
        means[0] = 0.0
        lost += float(((values - means[homes]) ** 2).sum())
        total += float((values**2).sum())
    return lost, total


def _of_indicators(column: QuasiColumn, codes: Codes, homes: Offsets, sizes: Offsets) -> tuple[float, float]:
    """SSE and SST with one indicator per value, computed from counts because there may be as many values as rows.

    If ``m`` of ``n`` rows share a value, their squared distances from the mean sum to ``m − m² / n`` in that dimension.
    The squared distance of a row with a value of share ``p`` from the mean of the column is ``1 − 2 p + Σ p²``.
    """
    shares = column.domain.counts / max(1, int(column.domain.counts.sum()))
    alike = float((shares**2).sum())
    if 1 - alike <= _HAIR:
        return 0.0, 0.0
    from_mean = 1 - 2 * shares + alike
    pairs, n_alike = np.unique(homes * shares.size + codes, return_counts=True)
    home, value = np.divmod(pairs, shares.size)
    inside = n_alike - n_alike**2 / sizes[home]
    lost = np.where(home > 0, inside, n_alike * from_mean[value]).sum()
    return float(lost) / (1 - alike), float(from_mean[codes].sum()) / (1 - alike)
