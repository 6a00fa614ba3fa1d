"""Lower bounds on the cost of a node, before its rows are grouped."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from shoal.algorithms.lattice.class_cache import Classes
from shoal.algorithms.lattice.class_rollup import ClassRollup
from shoal.algorithms.lattice.feasibility import Judgement
from shoal.algorithms.lattice.row_packing import node_numbers
from shoal.algorithms.lattice.space import Key, Levels
from shoal.core.arrays import Codes, Flags, Floats, Offsets
from shoal.core.contracts import CellMetric, Metric
from shoal.core.level_prices import LevelPrices
from shoal.core.table import Table
from shoal.kernels.lattice import count_by_node


class Surcharge(Protocol):
    """Lower bounds on the cost of nodes below ``levels``, given what is suppressed there."""

    @property
    def levels(self) -> Levels:
        """The node that was judged."""

    def of(self, levels: Codes) -> Floats:
        """``bounds[node, entry of the key]`` for nodes below it."""


class NodeBounds(Protocol):
    """Lower bounds on the key by which a metric compares nodes."""

    @property
    def are_final(self) -> bool:
        """Whether judging a node reveals nothing more about those above it."""

    @property
    def root_losses(self) -> Floats | None:
        """What each column adds to the loss at its root, if the loss is a sum over columns.

        None for other losses, and if a suppressed row pays less than a published one, or more at the root.
        """

    def of(self, levels: Codes) -> Floats:
        """``bounds[node, entry of the key]`` for ``levels[node, column]``, from the levels alone."""

    def onwards(self, levels: Codes) -> Floats:
        """Lower bounds for a node and all nodes above it."""

    def below(self, verdict: Judgement) -> Surcharge | None:
        """What a verdict implies for the nodes below, if anything."""

    def key(self, verdict: Judgement) -> Key | None:
        """The key of a judged node, if the sizes and nodes of its classes are enough to compute it."""


def bounds_of(metric: Metric, grouping: ClassRollup) -> NodeBounds:
    """The bounds of a metric."""
    kind = type(metric)
    plain = kind.node_key is Metric.node_key
    if isinstance(metric, CellMetric) and plain and kind.node_score is CellMetric.node_score:
        return CellBounds(metric, grouping)
    return MetricBounds(metric, grouping.table)


class MetricBounds:
    """The bounds that the metric itself provides."""

    root_losses = None

    def __init__(self, metric: Metric, table: Table) -> None:
        self._metric, self._table = metric, table
        self.are_final = type(metric).node_floor is Metric.node_floor

    def of(self, levels: Codes) -> Floats:
        """The metric's own bounds."""
        return self._metric.node_bounds(self._table, levels)

    def onwards(self, levels: Codes) -> Floats:
        """The metric's own bounds, which also hold for all nodes above."""
        return self.of(levels)

    def below(self, verdict: Judgement) -> FlatSurcharge | None:
        """What the suppressed rows cost, if the metric provides it (its ``suppression_floor``)."""
        floor: Callable[[Table, int], Sequence[float]] | None = getattr(self._metric, "suppression_floor", None)
        if floor is None or verdict.n_doomed == 0:
            return None
        return FlatSurcharge(verdict.levels, floor(self._table, verdict.n_doomed))

    def key(self, verdict: Judgement) -> None:
        """None: the metric has to see the node."""


@dataclass(frozen=True, eq=False)
class FlatSurcharge:
    """One lower bound for all nodes below ``levels``."""

    levels: Levels
    key: Sequence[float]

    def of(self, levels: Codes) -> Floats:
        """The key for each node."""
        return np.tile(np.asarray(self.key, np.float64), (levels.shape[0], 1))


class CellBounds:
    """Bounds on losses that are computed from the mean price of each column.

    At a node, a row pays in each column either the price of the node's level or what a suppressed row pays there. It
    pays at least the smaller one, and the latter if it is known to be suppressed. Rows in hopeless classes of a node
    are suppressed at every node below it. What such a row pays extra on a lower level depends on its value there, which
    is not looked up: it is at least the minimum over all values under the same hierarchy node.
    """

    are_final = True

    def __init__(self, metric: CellMetric, grouping: ClassRollup) -> None:
        self._metric, self._table, self._layout = metric, grouping.table, grouping.layout
        self.prices = metric.prices_on(self._table)
        extras = [_extra_by_level(self.prices, c) for c in range(self._table.n_quasi)]
        by_node = [_Nodes.of(self._table, c) for c in range(self._table.n_quasi)]
        self._surcharges = [nodes.least(np.maximum(extra, 0.0)) for nodes, extra in zip(by_node, extras, strict=True)]
        self._own = [nodes.least(extra) for nodes, extra in zip(by_node, extras, strict=True)]
        self._least = _least(self.prices, extras, self._table)
        pays = all((extra >= 0).all() and (extra[-1] <= 1e-12).all() for extra in extras)
        self.root_losses = self._root_losses() if pays and type(metric).combine is CellMetric.combine else None

    def _root_losses(self) -> Floats:
        means = np.diag([means[-1] for means in self.prices.means])
        return self._metric.combine(means, self._table)

    def of(self, levels: Codes) -> Floats:
        """The least that each column can lose, combined. O(nodes · columns)."""
        return self.combined(levels, self._least)

    def onwards(self, levels: Codes) -> Floats:
        """The metric's own bounds."""
        return self._metric.node_bounds(self._table, levels)

    def key(self, verdict: Judgement) -> Key:
        """The key that the metric would give the node. O(classes + suppressed classes · columns)."""
        levels = verdict.levels
        losses = np.array([mean[level] for mean, level in zip(self.prices.means, levels, strict=True)])
        if verdict.n_suppressed:
            counted = self._counts(verdict.classes, ~verdict.kept)
            for c, (level, counts) in enumerate(zip(levels, counted, strict=True)):
                losses[c] += counts @ self._own[c][level][-1] / self.prices.n_rows
        return (float(self._metric.combine(losses, self._table)),)

    def below(self, verdict: Judgement) -> CellSurcharge | None:
        """Lower bounds with the hopeless rows suppressed. O(hopeless classes · columns + hierarchy nodes · levels)."""
        if not verdict.hopeless.any():
            return None
        levels = verdict.classes.levels
        counted = self._counts(verdict.classes, verdict.hopeless)
        least = self._least.copy()
        for c, (top, counts) in enumerate(zip(levels, counted, strict=True)):
            least[c, : top + 1] += self._surcharges[c][top] @ counts / self.prices.n_rows
        return CellSurcharge(levels, self, least)

    def _counts(self, classes: Classes, flags: Flags) -> list[Offsets]:
        """For each column, the rows of the flagged classes in each hierarchy node of the classes' level."""
        n_nodes = [tables[level].shape[1] for tables, level in zip(self._surcharges, classes.levels, strict=True)]
        starts = np.cumsum([0, *n_nodes])
        layout = self._layout
        counts = count_by_node(classes.keys, classes.sizes, flags, layout.words, layout.shifts, layout.masks, starts)
        return np.split(counts, starts[1:-1])

    def combined(self, levels: Codes, least: Floats) -> Floats:
        """The key computed from the least loss of each column on each level."""
        return self._metric.combine(least[np.arange(levels.shape[1]), levels], self._table)[:, None]


@dataclass(frozen=True, eq=False)
class CellSurcharge:
    """``least[column, level]``: the least loss of the columns on each level up to ``levels``."""

    levels: Levels
    bounds: CellBounds
    least: Floats

    def of(self, levels: Codes) -> Floats:
        """The least that each column can lose, combined. O(nodes · columns)."""
        return self.bounds.combined(levels, self.least)


def _extra_by_level(prices: LevelPrices, column: int) -> Floats:
    """``extra[level, leaf]``: what a row of a column pays in addition when it is suppressed."""
    n_levels = prices.means[column].size
    return prices.extra[prices.starts[column] :][: n_levels * prices.widths[column]].reshape(n_levels, -1)


@dataclass(frozen=True, eq=False)
class _Nodes:
    """The nodes of a column's hierarchy: the first leaf of each node per level, and which leaves occur."""

    firsts: list[Offsets]
    occurs: Flags

    @classmethod
    def of(cls, table: Table, column: int) -> _Nodes:
        lows = table.quasi[column].recoding.nested.low
        firsts = [np.flatnonzero(np.diff(node_numbers(low), prepend=-1)) for low in lows]
        return cls(firsts, table.value_counts(column) > 0)

    def least(self, extra: Floats) -> list[Floats]:
        """For each level, ``least[level up to it, node]``: the least ``extra[level, leaf]`` over the node's leaves."""
        extra = np.where(self.occurs, extra, np.inf)
        tables = [np.minimum.reduceat(extra[: at + 1], firsts, axis=1) for at, firsts in enumerate(self.firsts)]
        return [np.where(np.isfinite(least), least, 0.0) for least in tables]


def _least(prices: LevelPrices, extras: Sequence[Floats], table: Table) -> Floats:
    """``least[column, level]``: the mean over rows of the smaller of their prices kept and suppressed."""
    least = np.zeros((table.n_quasi, max(means.size for means in prices.means)))
    for c, (means, extra) in enumerate(zip(prices.means, extras, strict=True)):
        least[c, : means.size] = means + np.minimum(extra, 0.0) @ table.value_counts(c) / max(1, prices.n_rows)
    return least
