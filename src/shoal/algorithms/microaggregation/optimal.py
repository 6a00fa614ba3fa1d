"""Optimal groups: by dynamic programming in one dimension, else by an integer program.

The integer program chooses among all groups of a small table, or among those that came up in a search.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from itertools import combinations
from math import comb

import numpy as np

from shoal.core.arrays import Floats, Offsets
from shoal.errors import InputError
from shoal.kernels.microaggregation import optimal_runs

_MOST_GROUPS = 60_000
"""The most candidate groups for the integer program."""

_MOST_KEPT, _MOST_NODES = 20_000, 20
"""How many groups of a search are kept, and how many nodes the integer program may branch to with these."""


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
    rows = range(len(points))
    return _chosen(points, [np.array(group) for size in range(k, 2 * k) for group in combinations(rows, size)])


def _in_one_dimension(values: Floats, k: int) -> Offsets:
    order = np.argsort(values, kind="stable")
    begins = np.zeros(values.size, np.int64)
    begins[optimal_runs(values[order], k)] = 1
    homes = np.empty(values.size, np.int64)
    homes[order] = np.cumsum(begins) - 1
    return homes


class Pool:
    """Distinct groups of rows that came up in a search."""

    def __init__(self, points: Floats) -> None:
        self._points = points
        self._groups: dict[bytes, Offsets] = {}

    def add(self, homes: Offsets) -> None:
        """Add the groups of a partition. O(rows log rows)."""
        order = np.argsort(homes, kind="stable")
        for group in np.split(order, np.flatnonzero(np.diff(homes[order])) + 1):
            if len(self._groups) < _MOST_KEPT:
                self._groups.setdefault(group.tobytes(), group)

    def recombined(self, start: Offsets, seconds: float | None) -> Offsets:
        """The best partition that can be combined in time; ``start`` if none is found."""
        self.add(start)
        groups = list(self._groups.values())
        limit = {} if seconds is None else {"time_limit": seconds}
        homes = _chosen(self._points, groups, mip_max_nodes=_MOST_NODES, **limit)
        return start if (homes < 0).any() else homes


def _chosen(points: Floats, groups: Sequence[Offsets], **limits: float) -> Offsets:
    """The homes of all rows in groups that contain each exactly once, with the least squared error.

    A set partition, solved by HiGHS; −1 if none was found within the ``limits``, which are options of HiGHS; without
    limits it is optimal.
    """
    sizes, members = np.array([group.size for group in groups]), np.concatenate(groups)
    numbers, inside = np.repeat(np.arange(len(groups)), sizes), points[members]
    means = np.array([np.bincount(numbers, column) for column in inside.T]).T / sizes[:, None]
    costs = np.bincount(numbers, ((inside - means[numbers]) ** 2).sum(axis=1))
    highspy = import_module("highspy")
    program = highspy.HighsLp()
    program.num_col_, program.num_row_ = costs.size, len(points)
    program.col_cost_, program.integrality_ = costs, [highspy.HighsVarType.kInteger] * costs.size
    program.col_lower_, program.col_upper_ = np.zeros(costs.size), np.ones(costs.size)
    program.row_lower_ = program.row_upper_ = np.ones(len(points))
    matrix = program.a_matrix_
    matrix.format_ = highspy.MatrixFormat.kColwise
    matrix.start_ = np.append(0, np.cumsum(sizes))
    matrix.index_, matrix.value_ = members, np.ones(members.size)
    solver = highspy.Highs()
    options = {"output_flag": False, "mip_rel_gap": 0.0, "mip_abs_gap": 0.0, **limits}
    for option, value in options.items():
        solver.setOptionValue(option, value)
    solver.passModel(program)
    solver.run()
    homes = np.full(len(points), -1, np.int64)
    if solver.getInfo().primal_solution_status == 2:
        is_used = np.array(solver.getSolution().col_value).round() > 0
        rows = is_used[numbers]
        homes[members[rows]] = (np.cumsum(is_used) - 1)[numbers[rows]]
    return homes
