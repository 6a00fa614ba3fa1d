"""Rows as points whose squared distances compare columns of all kinds; used by microaggregation."""

from __future__ import annotations

import numpy as np

from shoal.core.arrays import Floats, Offsets
from shoal.core.table import QuasiColumn, Table

_HAIR = 1e-12
"""A smaller spread, relative to the values, counts as rounding."""


def standard_scores(table: Table) -> Floats:
    """``points[row, dimension]``: all columns standardized, so that each contributes a variance of its weight.

    Numbers and dates become z-scores, ordinal values z-scores of their ranks; missing values lie at the mean, with one
    more dimension that marks them. A nominal column has one dimension per value: the squared distance of two values is
    the same for all pairs. A constant column contributes nothing. O(rows · dimensions).
    """
    parts = [
        np.sqrt(column.weight) * leaf_scores(column)[codes]
        for column, codes in zip(table.quasi, table.codes, strict=True)
    ]
    return np.ascontiguousarray(np.concatenate(parts, axis=1))


def leaf_scores(column: QuasiColumn) -> Floats:
    """``points[leaf, dimension]`` of one column, scaled to a total variance of 1 over the rows (0 if constant)."""
    domain = column.domain
    if not domain.is_ordered:
        return _scaled(np.eye(domain.n_leaves), domain.counts)
    places = domain.points if domain.kind in ("numeric", "date") else np.arange(domain.n_leaves, dtype=np.float64)
    is_there = np.arange(domain.n_leaves) != domain.missing
    known = is_there & ~np.isnan(places)
    counts = np.where(known, domain.counts, 0)
    mean = float(np.dot(counts, np.where(known, places, 0.0))) / max(1, int(counts.sum()))
    line = _scaled(np.where(known, places, mean)[:, None], domain.counts)
    if domain.missing is None:
        return line
    return np.concatenate([line, _scaled(is_there[:, None].astype(np.float64), domain.counts)], axis=1)


def _scaled(points: Floats, counts: Offsets) -> Floats:
    """Points shifted to mean 0 and divided by their standard deviation over all dimensions together."""
    weights = counts / max(1, int(counts.sum()))
    centered = points - weights @ points
    spread = float(np.sqrt((weights @ centered**2).sum()))
    return centered / spread if spread > _HAIR * np.abs(points).max(initial=0.0) else np.zeros_like(centered)
