"""Lower bounds on the cost of a node, before its rows are grouped."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from shoal.algorithms.lattice.class_rollup import Classes, ClassRollup
from shoal.algorithms.lattice.feasibility import Judgement
from shoal.algorithms.lattice.space import Key, Levels
from shoal.core.arrays import Codes, Flags, Floats, Offsets
from shoal.core.contracts import CellMetric, Metric
from shoal.core.level_prices import LevelPrices
from shoal.core.table import Table
from shoal.kernels.rollup import count_by_node


@dataclass(frozen=True, eq=False)
class Surcharge:
    """Lower bounds on the cost of nodes below ``levels``, given what is suppressed there.

    ``of(levels)`` returns ``bounds[node, entry of the key]`` for nodes below it.
    """

    levels: Levels
    of: Callable[[Codes], Floats]


def bounds_of(metric: Metric, grouping: ClassRollup) -> NodeBounds:
    """The bounds of a metric."""
    kind = type(metric)
    plain = kind.node_key is Metric.node_key
    if isinstance(metric, CellMetric) and plain and kind.node_score is CellMetric.node_score:
        return CellBounds(metric, grouping)
    return NodeBounds(metric, grouping.table)


class NodeBounds:
    """Lower bounds on the key by which a metric compares nodes: those that the metric itself provides.

    ``are_final`` says whether judging a node reveals nothing more about those above it. ``root_losses`` is what each
    column adds to the loss at its root, if the loss is a sum over columns; None for other losses, and if a suppressed
    row pays less than a published one, or more at the root.
    """

    root_losses: Floats | None = None

    def __init__(self, metric: Metric, table: Table) -> None:
        self._metric, self._table = metric, table
        self.are_final = type(metric).node_floor is Metric.node_floor

    def of(self, levels: Codes) -> Floats:
        """``bounds[node, entry of the key]`` for ``levels[node, column]``, from the levels alone."""
        return self.onwards(levels)

    def onwards(self, levels: Codes) -> Floats:
        """Lower bounds for a node and all nodes above it."""
        return self._metric.node_bounds(self._table, levels)

    def below(self, verdict: Judgement) -> Surcharge | None:
        """What a verdict implies for the nodes below, if anything.

        It is what the suppressed rows cost, if the metric provides it (its ``suppression_floor``).
        """
        floor: Callable[[Table, int], Sequence[float]] | None = getattr(self._metric, "suppression_floor", None)
        if floor is None or verdict.n_doomed == 0:
            return None
        key = np.asarray(floor(self._table, verdict.n_doomed), np.float64)
        return Surcharge(verdict.levels, lambda levels: np.tile(key, (levels.shape[0], 1)))

    def key(self, verdict: Judgement) -> Key | None:
        """The key of a judged node, if the sizes and nodes of its classes are enough to compute it."""


class CellBounds(NodeBounds):
    """Bounds on losses that are computed from the mean price of each column.

    At a node, a row pays in each column either the price of the node's level or what a suppressed row pays there. It
    pays at least the smaller one, and the latter if it is known to be suppressed. Rows in hopeless classes of a node
    are suppressed at every node below it. What such a row pays extra on a lower level depends on its value there, which
    is not looked up: it is at least the minimum over all values under the same hierarchy node.
    """

    _metric: CellMetric

    def __init__(self, metric: CellMetric, grouping: ClassRollup) -> None:
        super().__init__(metric, grouping.table)
        self.are_final, self._layout = True, grouping.layout
        self.prices = metric.prices_on(self._table)
        extras = [_extra_by_level(self.prices, c) for c in range(self._table.n_quasi)]
        self._surcharges = [_by_node(self._table, c, np.maximum(extra, 0.0)) for c, extra in enumerate(extras)]
        self._own = [_by_node(self._table, c, extra) for c, extra in enumerate(extras)]
        self._least = _least(self.prices, extras, self._table)
        pays = all((extra >= 0).all() and (extra[-1] <= 1e-12).all() for extra in extras)
        if pays and type(metric).combine is CellMetric.combine:
            roots = np.diag([means[-1] for means in self.prices.means])
            self.root_losses = metric.combine(roots, self._table)

    def of(self, levels: Codes) -> Floats:
        """The least that each column can lose, combined. O(nodes · columns)."""
        return self._combined(self._least, levels)

    def key(self, verdict: Judgement) -> Key:
        """The key that the metric would give the node. O(classes + suppressed classes · columns)."""
        levels = verdict.levels
        losses = np.array([mean[level] for mean, level in zip(self.prices.means, levels, strict=True)])
        if verdict.n_suppressed:
            counted = self._counts(verdict.classes, ~verdict.kept)
            for c, (level, counts) in enumerate(zip(levels, counted, strict=True)):
                losses[c] += counts @ self._own[c][level][-1] / self.prices.n_rows
        return (float(self._metric.combine(losses, self._table)),)

    def below(self, verdict: Judgement) -> Surcharge | None:
        """Lower bounds with the hopeless rows suppressed. O(hopeless classes · columns + hierarchy nodes · levels)."""
        if not verdict.hopeless.any():
            return None
        levels = verdict.classes.levels
        counted = self._counts(verdict.classes, verdict.hopeless)
        least = self._least.copy()
        for c, (top, counts) in enumerate(zip(levels, counted, strict=True)):
            least[c, : top + 1] += self._surcharges[c][top] @ counts / self.prices.n_rows
        return Surcharge(levels, partial(self._combined, least))

    def _counts(self, classes: Classes, flags: Flags) -> list[Offsets]:
        """For each column, the rows of the flagged classes in each hierarchy node of the classes' level."""
        n_nodes = [tables[level].shape[1] for tables, level in zip(self._surcharges, classes.levels, strict=True)]
        starts = np.cumsum([0, *n_nodes])
        layout = self._layout
        counts = count_by_node(classes.keys, classes.sizes, flags, layout.words, layout.shifts, layout.masks, starts)
        return np.split(counts, starts[1:-1])

    def _combined(self, least: Floats, levels: Codes) -> Floats:
        """The key computed from the least loss of each column on each level."""
        return self._metric.combine(least[np.arange(levels.shape[1]), levels], self._table)[:, None]


def _extra_by_level(prices: LevelPrices, column: int) -> Floats:
    """``extra[level, leaf]``: what a row of a column pays in addition when it is suppressed."""
    n_levels = prices.means[column].size
    return prices.extra[prices.starts[column] :][: n_levels * prices.widths[column]].reshape(n_levels, -1)


def _by_node(table: Table, column: int, extra: Floats) -> list[Floats]:
    """For each level, ``least[level up to it, node]``: the least ``extra[level, leaf]`` over the node's leaves."""
    extra = np.where(table.value_counts(column) > 0, extra, np.inf)
    found = []
    for level, low in enumerate(table.quasi[column].recoding.nested.low):
        least = np.minimum.reduceat(extra[: level + 1], np.flatnonzero(np.diff(low, prepend=-1)), axis=1)
        found.append(np.where(np.isfinite(least), least, 0.0))
    return found


def _least(prices: LevelPrices, extras: Sequence[Floats], table: Table) -> Floats:
    """``least[column, level]``: the mean over rows of the smaller of their prices kept and suppressed."""
    least = np.zeros((table.n_quasi, max(means.size for means in prices.means)))
    for c, (means, extra) in enumerate(zip(prices.means, extras, strict=True)):
        least[c, : means.size] = means + np.minimum(extra, 0.0) @ table.value_counts(c) / max(1, prices.n_rows)
    return least
