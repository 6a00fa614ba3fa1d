"""The certificate: prices of rows, verified to give a lower bound on the loss of every release."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.algorithms.relaxation.linear_program import LinearProgram, dearest_first, listed_at_most
from shoal.algorithms.relaxation.node_costs import (
    UNIT,
    LevelCosts,
    paid,
    refuse_unnested,
    seconds_to_look,
    suppressed,
)
from shoal.algorithms.relaxation.rounding_cuts import RoundingCuts
from shoal.core.arrays import Floats, Whole
from shoal.core.contracts import CellMetric, Goal
from shoal.core.number_texts import plain
from shoal.core.parallel_work import ALWAYS, side_by_side
from shoal.core.progress import Progress
from shoal.core.randomness import Randomness
from shoal.core.release import Release
from shoal.core.table import Table
from shoal.errors import InputError
from shoal.kernels.compiled import working_time
from shoal.kernels.relaxation_check import excess
from shoal.kernels.relaxation_groups import Cuts
from shoal.models.match_goals import matches_wanted

_START = 0.85
"""Prices start at this share of what the release pays."""

_FAR_ENOUGH, _IDLE, _REPAIR = 1e-4, 3, 2
"""The program is solved after this many cycles with cuts that gain less than this share; the time that so many cycles
take is left for one more and for repairing prices."""

_SCALINGS, _TRIES = 4, 1_000_000
"""How often prices may be scaled down, and how many groups the check tries in a box."""


@dataclass(frozen=True)
class Floor:
    """No release in groups of ``k`` rows or more, nor one with k matches for each record, loses less than ``value``.

    ``loss`` is what the given release loses, by ``metric``.
    """

    value: float
    loss: float
    metric: str
    k: int

    @property
    def above(self) -> float:
        """At most by what share the loss exceeds the best possible one; infinite if nothing is known."""
        if self.loss <= self.value:
            return 0.0
        return self.loss / self.value - 1 if self.value > 0 else np.inf

    def __str__(self) -> str:
        if self.loss == 0:
            return f"This release is the best possible: it loses nothing by {self.metric}."
        if self.value <= 0:
            return f"The distance from the optimum could not be determined: {self.metric} may go down to 0."
        return (
            f"This release is at most {plain(100 * self.above)}% above the best possible: no groups of {self.k:,} rows "
            f"or more lose less than {self.metric} {plain(self.value, 4)}."
        )


def require_certifiable(table: Table, goal: Goal, seconds: float) -> None:
    """Raise InputError if no floor can be found for such releases, or not in the time available."""
    if not isinstance(goal.metric, CellMetric) or not goal.metric.is_monotone:
        raise InputError(f"A certificate needs a cell-based metric such as lm, not {goal.metric.name!r}.")
    if goal.release_models:
        raise InputError(
            f"A certificate needs promises about each class by itself, not {goal.release_models[0]}; leave it out."
        )
    if matches_wanted(goal) < 2:
        raise InputError("A certificate needs a promise that asks for groups of several rows, such as k = 5.")
    refuse_unnested(table, "A certificate")
    levels = LevelCosts.of(table, goal.metric)
    needed = seconds_to_look(levels.n_nodes, levels.weights.size)
    if needed > seconds:
        raise InputError(
            f"A certificate for this table takes about {needed:,.0f} seconds: its lattice has {levels.n_nodes:,} nodes "
            f"over {levels.weights.size:,} distinct rows; give it that time, or certify fewer columns."
        )


def find_floor(
    release: Release, goal: Goal, randomness: Randomness, progress: Progress, seconds: float = 60.0
) -> Floor:
    """Find a lower bound on the loss of any release of the table that keeps the promises.

    Rows are given prices of at least 0 such that in every box (one node per column) that holds k rows the k highest
    prices add up to at most k times the cost of the box, and no price exceeds that of a suppressed row. The rows of a
    group of k or more are then priced at no more than they lose, so all prices together are at most the loss of any
    partition. The same holds for any release in which every record and every row has k matches, and whatever is
    suppressed.

    If the promises require groups of k rows, cuts raise the bound. A cut is a set of rows with a divisor d. A group may
    be priced higher by the cut's toll for every d of its rows in the set. No row is in two groups, so this happens at
    most ⌊rows / d⌋ times, and as many tolls are subtracted from the bound. Groups of 2k rows or more can be divided, so
    groups of k to 2k − 1 rows are looked at.

    Prices and tolls are the dual solution of a linear program over groups, rounded, and checked in integers against all
    boxes.

    Time: the seconds given, of which the check takes O(distinct rows · nodes of the lattice). Memory: O(rows · levels),
    and the groups that the program considers.
    """
    assert isinstance(goal.metric, CellMetric)
    began = working_time()
    table, k = release.table, matches_wanted(goal)
    levels = LevelCosts.of(table, goal.metric)
    caps = np.where(levels.free(k), 0.0, suppressed(table, goal.metric))
    start, none = _START * paid(release, goal.metric), np.zeros(caps.size)
    program = LinearProgram(levels, k, start, none, caps, randomness)
    if goal.floor == k:
        program.cutting = RoundingCuts(levels.weights, k)
    left = seconds - seconds_to_look(levels.n_nodes, levels.weights.size) - (working_time() - began)
    approach(program, left, progress)
    prices = np.minimum(program.repaired(), caps)
    progress.stage("checking the certificate", 1.0)
    value = proven(levels, k, prices, program.cutting, progress)
    return Floor(value / UNIT / max(1, table.n_rows), goal.metric.score(release), goal.metric.name, k)


def approach(program: LinearProgram, seconds: float, progress: Progress) -> None:
    """Solve the program, and again with further cuts, until the time is up or the bound gains next to nothing."""
    progress.stage("certifying", seconds)
    began, longest, spent, idle = working_time(), 0.0, 0.0, 0
    while program.price > 1e-12 and idle < _IDLE and spent + _REPAIR * longest < seconds:
        before, is_settled = program.bound, program.is_settled
        if is_settled:
            program.cut()
        program.cycle(began + seconds)
        idle = idle + 1 if is_settled and program.bound < before * (1 + _FAR_ENOUGH) else 0
        now = min(seconds, working_time() - began)
        progress.advance(now - spent)
        longest, spent = max(longest, now - spent), now


def proven(levels: LevelCosts, k: int, prices: Floats, cutting: RoundingCuts | None, progress: Progress) -> int:
    """The bound in integers, with prices and tolls scaled down until no group is priced too high; 0 if that fails."""
    cutting = cutting or RoundingCuts(levels.weights, k)
    whole = np.floor(prices * (UNIT * (1 - 1e-9))).astype(np.int64)
    tolls = np.ceil(cutting.tolls * UNIT).astype(np.int64)
    for _ in range(_SCALINGS):
        worst = _excess(levels, k, whole, cutting.cuts(tolls))
        progress.advance(1 / _SCALINGS)
        if worst == 0:
            return max(0, int(whole @ levels.weights) - int(tolls @ cutting.most.astype(np.int64)))
        whole = np.floor(whole * ((1 - 1e-9) / worst)).astype(np.int64)
        tolls = np.ceil(tolls * ((1 - 1e-9) / worst)).astype(np.int64)
    return 0


def _excess(levels: LevelCosts, k: int, prices: Whole, cuts: Cuts) -> float:
    """How much too high the worst group is priced: a ratio above 1, or 0 if none."""
    order = dearest_first(prices)

    def on(top: int) -> float:
        most = listed_at_most(k) - 1
        return float(excess(levels.whole, levels.weights, prices, order, k, cuts, top, most, _TRIES))

    return max(side_by_side(on, levels.tops, ALWAYS))
