"""Specialization: start with one group and cut down the hierarchies where the loss falls most per bit."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar

import numpy as np

from shoal.algorithms.clustering.agglomeration import grouped
from shoal.algorithms.clustering.coded_rows import Coding
from shoal.algorithms.clustering.initial_partition import settled
from shoal.algorithms.clustering.threads import shared
from shoal.core.arrays import Whole
from shoal.core.contracts import Algorithm, CellMetric, Goal, GroupModel, Metric
from shoal.core.goal_feasibility import require_possible
from shoal.core.groups import Groups
from shoal.core.planes import Nodes
from shoal.core.priced_column import PricedColumn
from shoal.core.progress import Progress
from shoal.core.randomness import Randomness
from shoal.core.release import Release
from shoal.core.table import Table
from shoal.errors import InputError
from shoal.kernels.clustering_specialize import Ladders, specialize
from shoal.metrics.lm import LM

_UNIT = 2**30
"""The price of a suppressed cell, in the integers that kernels add up."""

_PARTS = 32
"""Groups with more than the distinct rows divided by this are cut one after the other, smaller ones in parallel."""


@dataclass(frozen=True)
class Specialization(Algorithm):
    """Cuts along hierarchies, for tables in which every column has one (or is kept or starred).

    All rows begin as one group. A cut separates the rows below one child of a group's node, in one column, from the
    others; both sides keep k rows. Each cut is the one that lowers the loss most per bit needed to tell the sides
    apart: a group of s rows has log2(s / k) bits to spend, and splitting off a rare value takes few. Mondrian cuts the
    widest column near the median instead; on tables of many columns that loses 5 to 15% more. Promises beyond class
    size are met by merging groups (Algorithm 8 of Tassa et al.).

    Cost: O(n · columns) for each level of cuts, about log(n / k) of them; O(n · columns) memory. Nothing is random.

    Reference: Fung, Wang and Yu 2005, Top-Down Specialization for Information and Privacy Preservation, where a cut is
    made in the whole column at once and judged by its information gain about a class per loss of anonymity.
    """

    name: ClassVar[str] = "specialization"
    summary: ClassVar[str] = "cut down the hierarchies where the loss falls most for what a cut takes from the size"
    serves = (GroupModel,)
    asks_about_cells: ClassVar[bool] = True
    is_local: ClassVar[bool] = True

    def refuse(self, table: Table, goal: Goal) -> None:
        """Refuse promises that are not about groups, and columns of ranges or sets."""
        super().refuse(table, goal)
        for column in table.quasi:
            if not column.recoding.closes_to_nodes:
                raise InputError(
                    f"Specialization goes down hierarchies, and the column {column.name!r} has none; "
                    "give it one, or use clustering."
                )

    def run(self, table: Table, goal: Goal, randomness: Randomness, progress: Progress) -> Release:
        """Cut, and give each group its smallest permitted cells."""
        require_possible(table, goal)
        groups = specialized(table, goal.metric, goal.floor)
        if not goal.is_about_size:
            groups = settled(table, goal, Coding.of(table, goal.metric), groups, progress)
        return Release.from_groups(table, groups)


def specialized(table: Table, metric: Metric, k: int) -> Groups:
    """Groups of at least k rows; a metric that is not a mean over cells is replaced by LM."""
    ladders, leaves = _coded(table, metric if isinstance(metric, CellMetric) else LM())
    n = int(table.distinct.firsts.size)
    weights, order = np.bincount(table.distinct.ids, minlength=n), np.arange(n, dtype=np.int32)
    borders = np.zeros(n + 1, np.bool_)
    borders[[0, n]] = True
    specialize(ladders, leaves, weights, k, n // _PARTS, order, borders, 0, n)

    def cut(part: tuple[int, int]) -> None:
        specialize(ladders, leaves, weights, k, 0, order, borders, *part)

    shared(cut, pairwise(np.flatnonzero(borders).tolist()))
    homes = np.empty(n, np.int64)
    homes[order] = np.cumsum(borders[:-1]) - 1
    return grouped(homes[table.distinct.ids])


def _coded(table: Table, metric: CellMetric) -> tuple[Ladders, Whole]:
    """The hierarchies, and the leaves of the distinct rows, numbering only leaves that occur."""
    firsts, nodes, prices, shapes, places = table.distinct.firsts, list[Whole](), list[Whole](), list[Whole](), []
    n_nodes = n_entries = 0
    for column, codes in zip(table.quasi, table.codes[:, firsts], strict=True):
        priced = PricedColumn(column, metric, column.weight * _UNIT / max(1, table.n_quasi))
        found = Nodes.of(priced, column.domain.occurs)
        nodes.append(found.ladders.ravel() + n_nodes)
        prices.append(found.prices)
        shapes.append(np.array([n_entries, found.ladders.shape[1]]))
        places.append((np.cumsum(column.domain.occurs) - 1)[codes].astype(np.int32))
        n_nodes, n_entries = n_nodes + found.prices.size, n_entries + found.ladders.size
    flat = Ladders(np.concatenate(nodes).astype(np.int32), np.array(shapes, np.int64).T.copy(), np.concatenate(prices))
    return flat, np.array(places).T.copy()
