"""Merge groups until each keeps every promise: Algorithm 8 of Tassa et al. 2012, for any model about groups."""

from __future__ import annotations

import numpy as np

from shoal.algorithms.clustering.coded_rows import UNIT, Coding
from shoal.algorithms.clustering.vantage_point_leaves import leaves
from shoal.core.arrays import Codes, Floats
from shoal.core.contracts import Goal
from shoal.core.groups import Groups
from shoal.core.progress import Progress
from shoal.core.randomness import Randomness
from shoal.core.table import Table
from shoal.kernels.clustering_space import closures, scan, widen

WEIGHT = 0.15
"""The weight of the loss against the gap, as in the paper."""

_AT_ONCE, _LEAF = 64, 5000


def merged(table: Table, goal: Goal, groups: Groups, coding: Coding, progress: Progress) -> Groups:
    """Merge the groups that break a promise with others; every other group stays as it is or becomes part of a union.

    The group farthest from keeping its promises is merged with the one for which ``WEIGHT`` · (loss added, as a share
    of the whole table's) + (1 − ``WEIGHT``) · (remaining gap) is least, and so on. The gap of a model is how far its
    measure falls short of its threshold, which for l-diversity is the paper's; the gaps of several models are added up.
    A single group of all rows must keep the promises. Candidates are examined in the order of the loss they add, and
    only while that alone does not exceed the best cost, so the choice is exact.

    O(groups · planes) plus measuring a few unions, for each union that is made. More than 5,000 groups are first merged
    within leaves of similar ones.
    """
    n_failing = int((~goal.accepts(table, groups)).sum())
    progress.stage("uniting groups", float(n_failing))
    if n_failing and len(groups) > _LEAF:
        groups = _in_leaves(table, goal, groups, coding, progress)
    return _united(table, goal, groups, coding, progress)


def _united(table: Table, goal: Goal, groups: Groups, coding: Coding, progress: Progress) -> Groups:
    state = _Unions(table, goal, groups, coding)
    while len(state.lists) > 1 and state.gaps.max() > 0:
        worst = int(np.argmax(state.gaps))
        state.unite(worst, state.partner(worst))
        progress.advance()
    return as_groups(state.lists)


def _in_leaves(table: Table, goal: Goal, groups: Groups, coding: Coding, progress: Progress) -> Groups:
    """Merge within leaves of similar groups, as far as possible."""
    closed, _ = closures(coding.space, coding.cells, groups.offsets, coding.row[groups.members])
    lists: list[Codes] = []
    for leaf in leaves(coding.space, closed, _LEAF, Randomness(0)):
        found = _united(table, goal, as_groups([groups.of(int(g)) for g in leaf]), coding, progress)
        lists += [found.of(g) for g in range(len(found))]
    return as_groups(lists)


class _Unions:
    """Groups being merged: their rows, cells, prices and gaps."""

    def __init__(self, table: Table, goal: Goal, groups: Groups, coding: Coding) -> None:
        self.table, self.goal, self.coding = table, goal, coding
        self.lists = [groups.of(g) for g in range(len(groups))]
        self.closed, self.own = closures(coding.space, coding.cells, groups.offsets, coding.row[groups.members])
        self.sizes = groups.sizes.copy()
        self.gaps = self.gap(groups)

    def gap(self, groups: Groups) -> Floats:
        """How far each group is from keeping its promises; 0 if it keeps them all."""
        gaps = np.zeros(len(groups))
        for model in self.goal.group_models:
            gaps += np.maximum(model.threshold - model.measure(self.table, groups), 0.0)
        return gaps

    def partner(self, one: int) -> int:
        """The group to merge with."""
        prices = np.empty(self.sizes.size, np.int32)
        scan(self.coding.space, self.closed.shape[0], self.closed, 0, prices.size, self.closed, one, prices)
        added = self.sizes * (prices - self.own) + self.sizes[one] * (prices - self.own[one])
        losses = WEIGHT * added / (UNIT * self.coding.n_rows)
        losses[one] = np.inf
        order = np.argsort(losses, kind="stable")[:-1]
        best, chosen = np.inf, int(order[0])
        for start in range(0, order.size, _AT_ONCE):
            some = order[start : start + _AT_ONCE]
            if losses[some[0]] >= best:
                break
            gaps = self.gap(as_groups([np.concatenate([self.lists[one], self.lists[g]]) for g in some]))
            costs = losses[some] + (1 - WEIGHT) * gaps
            if costs.min() < best:
                best, chosen = float(costs.min()), int(some[np.argmin(costs)])
        return chosen

    def unite(self, one: int, other: int) -> None:
        """Merge one group into the other, and move the last group into its place."""
        self.lists[other] = np.concatenate([self.lists[other], self.lists[one]])
        self.own[other] = widen(self.coding.space, self.closed, other, self.closed, one)
        self.sizes[other] += self.sizes[one]
        self.gaps[other] = self.gap(as_groups([self.lists[other]]))[0]
        self.lists[one] = self.lists[-1]
        self.lists.pop()
        for values in (self.own, self.sizes, self.gaps):
            values[one] = values[-1]
        self.closed[:, one] = self.closed[:, -1]
        self.closed = np.ascontiguousarray(self.closed[:, :-1])
        self.own, self.sizes, self.gaps = self.own[:-1], self.sizes[:-1], self.gaps[:-1]


def as_groups(lists: list[Codes]) -> Groups:
    """Groups from lists of rows."""
    offsets = np.concatenate([[0], np.cumsum([rows.size for rows in lists])]).astype(np.int64)
    return Groups(offsets, np.concatenate(lists))
