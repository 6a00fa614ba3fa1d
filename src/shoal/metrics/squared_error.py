"""Squared error: the share of the variance that is gone when every value is replaced by the mean of its class."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from shoal.core.contracts import Metric
from shoal.core.release import Release
from shoal.core.standard_scores import leaf_scores


@dataclass(frozen=True)
class SquaredError(Metric):
    """SSE / SST on standardized columns: the information loss of the literature on microaggregation, as a share.

    SSE adds up the squared distances of rows to the mean of their class (of the whole column for suppressed rows), SST
    those to the mean of the column. Numbers and dates count by z-scores, ordinal values by ranks, and a nominal column
    by one indicator per value.

    Cost: O(rows · dimensions) time, one dimension at a time in memory.

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
        """The lost share; 0 where every column is constant."""
        table, classes = release.table, release.classes
        homes = classes.ids(table.n_rows) + 1
        sizes = np.maximum(1, np.bincount(homes, minlength=len(classes) + 1))
        lost = total = 0.0
        for column, codes in zip(table.quasi, table.codes, strict=True):
            for scores in leaf_scores(column).T * np.sqrt(column.weight):
                values = scores[codes]
                means = np.bincount(homes, values, len(classes) + 1) / sizes
                means[0] = 0.0
                lost += float(((values - means[homes]) ** 2).sum())
                total += float((values**2).sum())
        return lost / total if total > 0 else 0.0
