"""Usefulness: how different the rows of a class are."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from shoal.core.arrays import Codes, Flags, Floats
from shoal.core.contracts import Metric
from shoal.core.groups import Groups
from shoal.core.release import Release
from shoal.core.table import QuasiColumn, Table
from shoal.kernels.grouping import count_distinct


class Usefulness(Metric):
    """Mean over classes of the sum over columns of the share of the column that the class's original values span.

    The share (attribute diversity) is, for numbers and dates, the width of the values over the width of all occurring
    values and, for other columns, the number of different values over that of all occurring values. Cells do not
    matter, only which rows share a class; the suppressed rows form one class that spans everything. Classes count
    equally whatever their size, so merging two of them may lower the mean: it is not monotone.

    0 is best, the number of columns worst. A missing number among others spans everything.

    Cost: O(rows · columns).

    Reference: Bredereck, Nichterlein and Niedermeier 2013, Pattern-Guided k-Anonymity (Definitions 3 to 5); Loukides
    and Shao 2007, Capturing Data Usefulness and Privacy Protection in k-Anonymisation.

    >>> import polars as pl
    >>> import shoal
    >>> from shoal.metrics import Usefulness
    >>> table = pl.DataFrame({"zip": ["02139", "02138", "02142", "02141"]})
    >>> words = {"quasi_identifiers": ["zip"], "hierarchies": {"zip": "mask"}, "privacy": shoal.KAnonymity(2)}
    >>> release = shoal.anonymize(table, levels=[1], **words).release  # 0213*, 0213*, 0214*, 0214*
    >>> round(float(Usefulness().score(release)), 3)
    0.5
    """

    name: ClassVar[str] = "usefulness"
    summary: ClassVar[str] = "mean over classes of the share of each column that their rows span (diversity)"

    def score(self, release: Release) -> float:
        """Mean tuple diversity of the classes. O(records · columns)."""
        diversities = tuple_diversities(release.table, release.classes)
        if release.n_suppressed:
            diversities = np.append(diversities, float(release.table.n_quasi))
        return float(diversities.mean()) if diversities.size else 0.0


def tuple_diversities(table: Table, groups: Groups) -> Floats:
    """The diversity of each (non-empty) group: the sum over columns of the share of the column that it spans."""
    total = np.zeros(len(groups))
    for column, codes in zip(table.quasi, table.codes, strict=True):
        if column.domain.kind in ("numeric", "date"):
            total += _width_share(column, groups, codes)
        else:
            counts = count_distinct(groups.offsets, groups.members, codes, column.domain.n_leaves)
            total += counts / max(1, int(column.domain.occurs.sum()))
    return total


def _width_share(column: QuasiColumn, groups: Groups, codes: Codes) -> Floats:
    """Width of a group over the width of the column."""
    domain = column.domain
    if not len(groups):
        return np.zeros(0)
    is_missing: Flags = np.arange(domain.n_leaves) == (-1 if domain.missing is None else domain.missing)
    present = domain.places[domain.occurs & ~is_missing]
    span = float(np.ptp(present)) if present.size else 0.0
    inside = codes[groups.members]
    points = np.where(is_missing, np.inf, domain.places)[inside]
    least = np.minimum.reduceat(points, groups.offsets[:-1])
    most = np.maximum.reduceat(np.where(is_missing[inside], -np.inf, points), groups.offsets[:-1])
    widths = np.where(most >= least, most - least, 0.0) / span if span else np.zeros(len(groups))
    missing = np.add.reduceat(is_missing[inside].astype(np.int64), groups.offsets[:-1])
    return np.where((missing > 0) & (missing < groups.sizes), 1.0, widths)
