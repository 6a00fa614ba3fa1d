"""The best groups there are: by dynamic programming in one dimension, by an integer program in small tables."""

from __future__ import annotations

from importlib import import_module
from itertools import combinations
from math import comb

import numpy as np

from shoal.core.arrays import Floats, Offsets
from shoal.errors import InputError
from shoal.kernels.microaggregation import optimal_runs

_MOST_GROUPS = 60_000
"""Possible groups that the integer program may choose from."""


def optimal(points: Floats, k: int) -> Offsets:
    """The group of each row in a partition with the least squared error of all with at least k rows a group.

    No group needs more than 2k − 1 rows: two halves of a larger one never have more squared error.

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
            f"method=optimal would have to choose among {n_groups:,} groups and can among {_MOST_GROUPS:,}; it is for "
            "one numeric column or a few rows. Use method=search."
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
    """Every row in exactly one of all groups of k to 2k − 1, at least cost: a set partition, solved by HiGHS."""
    n_rows, groups, costs = points.shape[0], [], []
    for size in range(k, 2 * k):
        members = np.array(list(combinations(range(n_rows), size)), np.int64)
        inside = points[members]
        costs.append(((inside - inside.mean(axis=1, keepdims=True)) ** 2).sum(axis=(1, 2)))
        groups += list(members)
    used = _set_partition(groups, np.concatenate(costs), n_rows)
    homes = np.full(n_rows, -1, np.int64)
    for number, group in enumerate(np.flatnonzero(used)):
        homes[groups[group]] = number
    return homes


def _set_partition(groups: list[Offsets], costs: Floats, n_rows: int) -> Floats:
    """Which groups are used, 1 or 0."""
    highspy = import_module("highspy")
    program = highspy.HighsLp()
    program.num_col_, program.num_row_ = costs.size, n_rows
    program.col_cost_ = costs
    program.col_lower_, program.col_upper_ = np.zeros(costs.size), np.ones(costs.size)
    program.row_lower_ = program.row_upper_ = np.ones(n_rows)
    program.integrality_ = [highspy.HighsVarType.kInteger] * costs.size
    matrix = program.a_matrix_
    matrix.format_ = highspy.MatrixFormat.kColwise
    matrix.start_ = np.cumsum([0, *(group.size for group in groups)])
    matrix.index_ = np.concatenate(groups)
    matrix.value_ = np.ones(matrix.index_.size if hasattr(matrix.index_, "size") else len(matrix.index_))
    solver = highspy.Highs()
    solver.setOptionValue("output_flag", False)
    solver.setOptionValue("mip_rel_gap", 0.0)
    solver.setOptionValue("mip_abs_gap", 0.0)
    solver.passModel(program)
    solver.run()
    return np.array(solver.getSolution().col_value).round()
