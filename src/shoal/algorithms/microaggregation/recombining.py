"""The best partition made of groups that came up in a search: an integer program over these alone."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module

import numpy as np

from shoal.core.arrays import Floats, Offsets

_MOST_GROUPS, _MOST_NODES = 20_000, 20
"""How many groups are kept, and how many nodes the integer program may branch to."""


class Pool:
    """Distinct groups of rows."""

    def __init__(self, points: Floats) -> None:
        self._points = points
        self._groups: dict[bytes, Offsets] = {}

    def add(self, homes: Offsets) -> None:
        """Add the groups of a partition. O(rows log rows)."""
        order = np.argsort(homes, kind="stable")
        for group in np.split(order, np.flatnonzero(np.diff(homes[order])) + 1):
            if len(self._groups) < _MOST_GROUPS:
                self._groups.setdefault(group.tobytes(), group)

    def recombined(self, start: Offsets, seconds: float | None) -> Offsets:
        """The best partition that can be combined in time; ``start`` if none is found."""
        self.add(start)
        groups = list(self._groups.values())
        limit = {} if seconds is None else {"time_limit": seconds}
        used = chosen_groups(groups, group_costs(self._points, groups), start.size, mip_max_nodes=_MOST_NODES, **limit)
        homes = np.full(start.size, -1, np.int64)
        for number, group in enumerate(np.flatnonzero(used)):
            homes[groups[group]] = number
        return start if (homes < 0).any() else homes


def group_costs(points: Floats, groups: Sequence[Offsets]) -> Floats:
    """The squared error of each group."""
    sizes = np.array([group.size for group in groups])
    numbers, inside = np.repeat(np.arange(len(groups)), sizes), points[np.concatenate(groups)]
    means = np.array([np.bincount(numbers, column) for column in inside.T]).T / sizes[:, None]
    return np.asarray(np.bincount(numbers, ((inside - means[numbers]) ** 2).sum(axis=1)), np.float64)


def chosen_groups(groups: Sequence[Offsets], costs: Floats, n_rows: int, **limits: float) -> Floats:
    """Which groups (1 or 0) contain every row exactly once at least cost: a set partition, solved by HiGHS.

    Zeros if none was found within the ``limits``, which are options of HiGHS; without limits it is optimal.
    """
    highspy = import_module("highspy")
    program = highspy.HighsLp()
    program.num_col_, program.num_row_ = costs.size, n_rows
    program.col_cost_, program.integrality_ = costs, [highspy.HighsVarType.kInteger] * costs.size
    program.col_lower_, program.col_upper_ = np.zeros(costs.size), np.ones(costs.size)
    program.row_lower_ = program.row_upper_ = np.ones(n_rows)
    matrix = program.a_matrix_
    matrix.format_ = highspy.MatrixFormat.kColwise
    matrix.start_ = np.cumsum([0, *(group.size for group in groups)])
    members = np.concatenate(groups)
    matrix.index_, matrix.value_ = members, np.ones(members.size)
    solver = highspy.Highs()
    options = {"output_flag": False, "mip_rel_gap": 0.0, "mip_abs_gap": 0.0, **limits}
    for option, value in options.items():
        solver.setOptionValue(option, value)
    solver.passModel(program)
    solver.run()
    if solver.getInfo().primal_solution_status != 2:
        return np.zeros(costs.size)
    return np.array(solver.getSolution().col_value).round()
