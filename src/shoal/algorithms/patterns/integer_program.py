"""The integer program (5) to (8), solved by HiGHS.

For every instance l and kind of rows i there is a number x(i, l) of rows that go there, and for every instance a
variable u(l) that says whether it is used: x(i, l) ≤ n(i) · u(l), at least k · u(l) rows in l, at most n(i) rows of
kind i in total. Once the u are fixed, the x are a flow and so integral by themselves: only the u have to be declared
integer. The paper links x and u by one constraint per instance; one per pair, as here, makes the relaxation much
tighter.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np

from shoal.algorithms.patterns.instances import Sharing
from shoal.core.arrays import Codes, Floats, Offsets


@dataclass(frozen=True)
class Outside:
    """The rules for rows that are in no instance.

    Any number of them if ``is_free``; otherwise at most ``spare``, or at least ``floor`` if ``may_star``.
    """

    is_free: bool = True
    may_star: bool = True
    spare: int = 0


class Solved(NamedTuple):
    """The instance of each row, and a lower bound on the cost of every solution."""

    homes: Codes
    bound: float


def solve(sharing: Sharing, floor: int, outside: Outside, start: Codes | None, seconds: float) -> Solved | None:
    """The best assignment of rows to instances found in time; None if there is none, or none was found.

    ``start`` is one to begin with. Proven optimal if cost and bound are less than one step of the costs apart.
    """
    if not len(sharing.instances):
        return _all_outside(sharing, floor, outside)
    model = _Model(sharing, floor, outside)
    solver = _solver(seconds, 1.0 if sharing.has_whole_costs else 0.0)
    solver.passModel(model.program())
    if start is not None:
        given = import_module("highspy").HighsSolution()
        given.col_value = model.values(start).tolist()
        solver.setSolution(given)
    solver.run()
    info = solver.getInfo()
    if info.primal_solution_status != 2:
        return None
    values = np.array(solver.getSolution().col_value)
    homes = model.homes(values)
    if homes is None:
        homes = _with_fixed_classes(model, values)
    ceiling = sharing.full * float(sharing.weights.sum())
    return Solved(homes, ceiling + float(info.mip_dual_bound))


def _all_outside(sharing: Sharing, floor: int, outside: Outside) -> Solved | None:
    """The only assignment if there is no instance, if it is allowed."""
    n = sharing.rows.members.size
    if not (outside.is_free or n <= outside.spare or (outside.may_star and n >= floor)):
        return None
    return Solved(np.full(n, sharing.outside, np.int32), sharing.full * n)


def _with_fixed_classes(model: _Model, values: Floats) -> Codes:
    """Solve again with the used instances fixed; the vertex that the simplex method finds is integral."""
    solver = _solver(60.0, 0.0)
    solver.passModel(model.program(used=values[model.n_pairs :].round()))
    solver.run()
    homes = model.homes(np.array(solver.getSolution().col_value))
    if homes is None:
        raise ArithmeticError("The flow of rows into fixed classes did not come out whole.")
    return homes


def _solver(seconds: float, step: float) -> Any:
    """HiGHS, which is done if cost and bound differ by less than ``step``, the least difference between two costs."""
    solver = import_module("highspy").Highs()
    options = {
        "output_flag": False,
        "threads": 1,
        "time_limit": max(0.01, float(seconds)),
        "mip_rel_gap": 0.0,
        "mip_abs_gap": max(1e-6, 0.999 * step),
    }
    for name, value in options.items():
        solver.setOptionValue(name, value)
    return solver


class _Model:
    """Columns of the program: x for every pair, by instance; u for every instance; one for the star, if needed."""

    def __init__(self, sharing: Sharing, floor: int, outside: Outside) -> None:
        self.sharing, self.floor, self.outside = sharing, floor, outside
        self.n_pairs, self.n_used = sharing.instances.members.size, len(sharing.instances)
        self.of_pair = np.repeat(np.arange(self.n_used), sharing.instances.sizes)

    def program(self, used: Floats | None = None) -> Any:
        """The program in the form that HiGHS takes; with ``used``, every u is fixed and nothing has to be integral."""
        highs, weights = import_module("highspy"), self.sharing.weights.astype(float)
        switches = self.n_used + (not self.outside.is_free)
        upper = np.ones(switches)
        upper[self.n_used :] = self.outside.may_star
        rows, columns, values = self._matrix()
        low, high = self._bounds(weights)
        order = np.lexsort([rows, columns])
        program = highs.HighsLp()
        program.num_col_, program.num_row_ = self.n_pairs + switches, low.size
        program.col_cost_ = np.concatenate([(self.sharing.costs - self.sharing.full)[self.of_pair], np.zeros(switches)])
        program.col_lower_ = np.concatenate([np.zeros(self.n_pairs), np.zeros(switches) if used is None else used])
        program.col_upper_ = np.concatenate([weights[self.sharing.instances.members], upper if used is None else used])
        program.row_lower_, program.row_upper_ = low, high
        program.a_matrix_.format_ = highs.MatrixFormat.kColwise
        program.a_matrix_.start_ = np.searchsorted(columns[order], np.arange(self.n_pairs + switches + 1))
        program.a_matrix_.index_, program.a_matrix_.value_ = rows[order], values[order]
        if used is None:
            kinds = highs.HighsVarType
            program.integrality_ = [kinds.kContinuous] * self.n_pairs + [kinds.kInteger] * switches
        return program

    def _matrix(self) -> tuple[Offsets, Offsets, Floats]:
        """Rows, columns and values of the matrix: kinds, instances, pairs, and if needed two rows about the star."""
        pairs, used = np.arange(self.n_pairs), self.n_pairs + np.arange(self.n_used)
        n_kinds, n_first = self.sharing.n_kinds, self.sharing.n_kinds + self.n_used
        held = self.sharing.weights[self.sharing.instances.members].astype(float)
        ones = np.ones(self.n_pairs)
        entries = [
            (self.sharing.instances.members, pairs, ones),
            (n_kinds + self.of_pair, pairs, ones),
            (n_kinds + np.arange(self.n_used), used, np.full(self.n_used, -float(self.floor))),
            (n_first + pairs, pairs, ones),
            (n_first + pairs, used[self.of_pair], -held),
        ]
        if not self.outside.is_free:
            total, last, star = float(self.sharing.weights.sum()), n_first + self.n_pairs, self.n_pairs + self.n_used
            entries += [(np.full(self.n_pairs, last + row), pairs, ones) for row in (0, 1)]
            entries += [(np.array([last, last + 1]), np.array([star, star]), np.array([float(self.floor), total]))]
        rows, columns, values = (np.concatenate(parts) for parts in zip(*entries, strict=True))
        return rows, columns, values

    def _bounds(self, weights: Floats) -> tuple[Floats, Floats]:
        """Lowest and highest value of each row of the matrix."""
        none, all_rows = np.zeros(0), float(weights.sum())
        low = [np.full(weights.size, -np.inf), np.zeros(self.n_used), np.full(self.n_pairs, -np.inf)]
        high = [weights, np.full(self.n_used, np.inf), np.zeros(self.n_pairs)]
        free = self.outside.is_free
        low.append(none if free else np.array([-np.inf, all_rows - self.outside.spare]))
        high.append(none if free else np.array([all_rows, np.inf]))
        return np.concatenate(low), np.concatenate(high)

    def values(self, homes: Codes) -> Floats:
        """An assignment as values of the columns."""
        outside = self.sharing.outside
        inside = homes < outside
        kinds, places = self.sharing.kinds[inside], homes[inside]
        span = np.int64(self.sharing.n_kinds)
        keys = self.of_pair * span + self.sharing.instances.members
        flows = np.bincount(np.searchsorted(keys, places * span + kinds), minlength=self.n_pairs)
        used = np.bincount(places, minlength=self.n_used) > 0
        star = [] if self.outside.is_free else [float((~inside).sum() > self.outside.spare)]
        return np.concatenate([flows, used, star]).astype(float)

    def homes(self, values: Floats) -> Codes | None:
        """The instance of each row; None if the flows are not integral."""
        flows = values[: self.n_pairs].round().astype(np.int64)
        if np.abs(values[: self.n_pairs] - flows).max(initial=0.0) > 1e-4 or not self._holds(flows):
            return None
        kinds, n_kinds = self.sharing.instances.members, self.sharing.n_kinds
        inside = np.bincount(kinds, weights=flows, minlength=n_kinds).astype(np.int64)
        order = np.argsort(np.append(kinds, np.arange(n_kinds)), kind="stable")
        places = np.append(self.of_pair, np.full(n_kinds, self.sharing.outside, np.int32))
        return np.repeat(places[order], np.append(flows, self.sharing.weights - inside)[order]).astype(np.int32)

    def _holds(self, flows: Offsets) -> bool:
        """Whether no kind has more rows than exist, and no used instance fewer than the floor."""
        sizes = np.bincount(self.of_pair, weights=flows, minlength=self.n_used)
        taken = np.bincount(self.sharing.instances.members, weights=flows, minlength=self.sharing.n_kinds)
        return bool((taken <= self.sharing.weights).all() and ((sizes == 0) | (sizes >= self.floor)).all())
