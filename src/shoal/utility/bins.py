"""Grouping columns with many values into bins, so that tables of two columns stay small and dense."""

from __future__ import annotations

import numpy as np

from shoal.core.arrays import Codes
from shoal.core.domain import Domain

MOST = 20
"""Maximum number of bins per column."""


def bins_of(domain: Domain, most: int = MOST) -> tuple[Codes, int]:
    """The bin of each leaf, and the number of bins: one value each, or runs of values with about equal numbers of rows.

    Runs follow the order of the values if they have one, otherwise that of the domain (or of its hierarchy).
    """
    if domain.n_leaves <= most:
        return np.arange(domain.n_leaves, dtype=np.int32), domain.n_leaves
    order = np.argsort(domain.places, kind="stable") if domain.is_ordered else np.arange(domain.n_leaves)
    before = np.cumsum(domain.counts[order]) - domain.counts[order]
    bins = np.empty(domain.n_leaves, np.int32)
    bins[order] = np.minimum(before * most // max(1, int(domain.counts.sum())), most - 1)
    return bins, most
