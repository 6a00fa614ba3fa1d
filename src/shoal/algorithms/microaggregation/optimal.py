"""Optimal groups: by dynamic programming in one dimension, by an integer program in small tables."""

from __future__ import annotations

from itertools import combinations
from math import comb

import numpy as np

from shoal.algorithms.microaggregation.recombining import chosen_groups, group_costs
from shoal.core.arrays import Floats, Offsets
from shoal.errors import InputError
from shoal.kernels.microaggregation import optimal_runs

_MOST_GROUPS = 60_000
"""The most candidate groups for the integer program."""


def optimal(points: Floats, k: int) -> Offsets:
    """The group of each row in a partition with the least squared error among those with at least k rows per group.

    No group needs more than 2k − 1 rows: splitting a larger one in two never increases the squared error.

    Raises:
        InputError: there is more than one dimension, and too many groups to choose from.
    """
    if points.shape[0] < 2 * k:
        return np.zeros(points.shape[0], np.int64)
    spread = points[:, (points != 0).any(axis=0)]
    if spread.shape[1] <= 1:
        return _in_one_dimension(points.sum(axis=1), k)
    n_groups = sum(comb(points.shape[0], size) for size in range(k, 2 * k))
    if n_groups > _MOST_GROUPS:
        raise InputError(
            f"method=optimal would have to choose among {n_groups:,} groups, and {_MOST_GROUPS:,} is the limit; it is "
            "for one numeric column or a few rows. Use method=search."
        )
    return _chosen(points, k)


def _in_one_dimension(values: Floats, k: int) -> Offsets:
    order = np.argsort(values, kind="stable")
    begins = np.zeros(values.size, np.int64)
    begins[optimal_runs(values[order], k)] = 1
    homes = np.empty(values.size, np.int64)
    homes[order] = np.cumsum(begins) - 1
    return homes


def _chosen(points: Floats, k: int) -> Offsets:
    """Choose among all groups of k to 2k − 1 rows so that every row is in exactly one, at least cost."""
    groups = [
        np.array(members, np.int64) for size in range(k, 2 * k) for members in combinations(range(len(points)), size)
    ]
    homes = np.full(points.shape[0], -1, np.int64)
    for number, group in enumerate(np.flatnonzero(chosen_groups(groups, group_costs(points, groups), len(points)))):
        homes[groups[group]] = number
    return homes
