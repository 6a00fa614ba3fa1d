"""Guess which mix of sensitive values the promises require in a group, to avoid proposals that would be refused."""

from __future__ import annotations

import numpy as np

from shoal.algorithms.clustering.coded_rows import Coding
from shoal.core.groups import Groups
from shoal.kernels.clustering_pool import Mix

ANY = Mix(1, 1.0)
"""No requirement."""


def mix_of(coding: Coding, groups: Groups) -> Mix:
    """The fewest colours in any of these groups, and the largest share of one colour. O(rows log rows)."""
    colours = coding.colours[groups.members]
    n_colours = int(colours.max(initial=0)) + 1
    keys = np.repeat(np.arange(len(groups)), groups.sizes) * n_colours + colours
    pairs, counts = np.unique(keys, return_counts=True)
    owners = pairs // n_colours
    most = np.maximum.reduceat(counts, np.flatnonzero(np.diff(owners, prepend=-1)))
    return Mix(int(np.bincount(owners).min()), float((most / groups.sizes).max()))
