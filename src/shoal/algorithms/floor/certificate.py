"""The certificate: prices of rows, verified to give a lower bound on the loss of every release."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.algorithms.floor.dual_ascent import Ascent, dearest_first
from shoal.algorithms.floor.node_costs import UNIT, LevelCosts
from shoal.algorithms.floor.packing_cuts import PackingCuts
from shoal.core.arrays import Floats
from shoal.core.contracts import CellMetric, Goal
from shoal.core.number_texts import plain
from shoal.core.progress import Progress
from shoal.core.randomness import Randomness
from shoal.core.release import Release
from shoal.core.table import Table
from shoal.errors import InputError
from shoal.kernels.compiled import working_time
from shoal.kernels.floor_check import excess

_VISIT = 2e-8
"""Approximate seconds to process one row on one node of the lattice."""

_SCALINGS = 4
_PLURALS = {"range": "ranges", "sets": "sets"}


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
    if least_size(goal) < 2:
        raise InputError("A certificate needs a promise that asks for groups of several rows, such as k = 5.")
    for column in table.quasi:
        if not column.recoding.closes_to_nodes:
            raise InputError(
                f"A certificate needs nested cells, and those of {column.name!r} are {_PLURALS[column.recoding.name]}; "
                "give the column a hierarchy, or recode it by 'suppress'."
            )
    levels = LevelCosts.of(table, goal.metric)
    needed = _seconds_to_check(levels)
    if needed > seconds:
        raise InputError(
            f"A certificate for this table takes about {needed:,.0f} seconds: its lattice has {levels.n_nodes:,} nodes "
            f"over {levels.weights.size:,} distinct rows; give it that time, or certify fewer columns."
        )


def _seconds_to_check(levels: LevelCosts) -> float:
    return levels.n_nodes * levels.weights.size * _VISIT


def least_size(goal: Goal) -> int:
    """The least size of a group, or number of matches of a record, that the promises require."""
    return max([goal.floor, *(promise.drawn_from or 1 for promise in goal.promises)])


def find_floor(
    release: Release, goal: Goal, randomness: Randomness, progress: Progress, seconds: float = 60.0
) -> Floor:
    """Find a lower bound on the loss of any release of the table that keeps the promises.

    Rows are given prices of at least 0 such that in every box (one node per column) that holds k rows the k highest
    prices add up to at most k times the cost of the box, and no price exceeds that of a suppressed row. The rows of a
    group of k or more are then priced at no more than they lose, so all prices together are at most the loss of any
    partition. The same holds for any release in which every record and every row has k matches, and whatever is
    suppressed.

    If the promises require groups of k rows, cuts raise the bound. A cut is a set of rows; a group inside it may be
    priced higher by the cut's toll, and since at most ⌊rows / k⌋ groups fit, as many tolls are subtracted from the
    bound. Groups of 2k rows or more can be divided, so groups of k to 2k − 1 rows are looked at.

    Prices and tolls are found by projected ascent, then rounded, and checked in integers against all boxes.

    Time: the seconds given, of which the check takes O(distinct rows · nodes of the lattice). O(rows · levels) memory.
    """
    assert isinstance(goal.metric, CellMetric)
    began = working_time()
    table, k = release.table, least_size(goal)
    levels = LevelCosts.of(table, goal.metric)
    caps = np.where(levels.free(k), 0.0, _suppressed(table, goal.metric))
    cutting = PackingCuts(levels.weights, k) if goal.floor == k else None
    ascent = Ascent(levels, k, caps, _paid(release, goal.metric), randomness, cutting)
    ascent.climb(seconds - _seconds_to_check(levels) - (working_time() - began), progress)
    progress.stage("checking the certificate", len(levels.tops))
    value = proven(levels, k, np.minimum(ascent.prices, caps), cutting, progress)
    return Floor(value / UNIT / max(1, table.n_rows), goal.metric.score(release), goal.metric.name, k)


def proven(levels: LevelCosts, k: int, prices: Floats, cutting: PackingCuts | None, progress: Progress) -> int:
    """The bound in integers, with prices and tolls scaled down until no group is priced too high; 0 if that fails."""
    cutting = cutting or PackingCuts(levels.weights, k)
    whole = np.floor(prices * (UNIT * (1 - 1e-9))).astype(np.int64)
    tolls = np.ceil(cutting.tolls * UNIT).astype(np.int64)
    for _ in range(_SCALINGS):
        cuts, order, worst = cutting.cuts(tolls), dearest_first(whole), 0.0
        for top in levels.tops:
            worst = max(worst, excess(levels.whole, levels.weights, whole, order, k, cuts, top))
            progress.advance()
        if worst == 0:
            return max(0, int(whole @ levels.weights) - int(tolls @ cuts.most))
        whole = np.floor(whole * ((1 - 1e-9) / worst)).astype(np.int64)
        tolls = np.ceil(tolls * ((1 - 1e-9) / worst)).astype(np.int64)
    return 0


def _paid(release: Release, metric: CellMetric) -> Floats:
    """What the distinct rows pay in this release, on average over equal ones; suppressed rows pay the maximum."""
    table = release.table
    total = sum(column.weight for column in table.quasi) or 1.0
    paid = np.ones(table.n_rows)
    paid[release.owners] = 0.0
    for column, cells in zip(table.quasi, release.cells, strict=True):
        paid[release.owners] += metric.price(column, cells)[cells.ids][release.shapes] * (column.weight / total)
    return np.asarray(np.bincount(table.distinct.ids, paid) / table.distinct.weights)


def _suppressed(table: Table, metric: CellMetric) -> Floats:
    """The least that each distinct row pays if it is suppressed."""
    total = sum(column.weight for column in table.quasi) or 1.0
    paid = np.zeros(table.distinct.firsts.size)
    for column, codes in zip(table.quasi, table.codes[:, table.distinct.firsts], strict=True):
        prices = metric.suppressed_prices(column, metric.level_prices(column))
        paid += prices[0, codes] * (column.weight / total)
    return paid
