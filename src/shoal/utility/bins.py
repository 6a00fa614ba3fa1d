"""Columns with many values in bins, so that tables of two columns stay small and full."""

from __future__ import annotations

import numpy as np

from shoal.core.arrays import Codes
from shoal.core.domain import Domain

MOST = 20
"""Bins of a column at most."""


def bins_of(domain: Domain, most: int = MOST) -> tuple[Codes, int]:
    """The bin of each leaf, and how many there are: a value each, or runs of values that about as many rows have.

    Runs follow the values' order where they have one, else that of the domain (with a hierarchy, its own).
    """
    if domain.n_leaves <= most:
        return np.arange(domain.n_leaves, dtype=np.int32), domain.n_leaves
    order = np.argsort(domain.places, kind="stable") if domain.is_ordered else np.arange(domain.n_leaves)
    before = np.cumsum(domain.counts[order]) - domain.counts[order]
    bins = np.empty(domain.n_leaves, np.int32)
    bins[order] = np.minimum(before * most // max(1, int(domain.counts.sum())), most - 1)
    return bins, most
