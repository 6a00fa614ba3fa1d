"""What a node costs at least, before its rows are grouped."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from shoal.algorithms.lattice.judge import Judgement
from shoal.algorithms.lattice.space import Levels
from shoal.core.arrays import Codes, Floats
from shoal.core.contracts import CellMetric, Metric
from shoal.core.level_prices import LevelPrices
from shoal.core.table import Table
from shoal.kernels.lattice import pay_on_all_levels


class Surcharge(Protocol):
    """What nodes below ``levels`` cost at least, given what is suppressed there."""

    @property
    def levels(self) -> Levels:
        """The node that was judged."""

    def of(self, levels: Codes) -> Floats:
        """``bounds[node, entry of the key]`` of nodes below it."""


class Bounds(Protocol):
    """Lower bounds on the key by which a metric compares nodes."""

    @property
    def are_final(self) -> bool:
        """Whether a judged node says nothing more about those above it."""

    def of(self, levels: Codes) -> Floats:
        """``bounds[node, entry of the key]`` of ``levels[node, column]``, from the levels alone."""

    def onwards(self, levels: Codes) -> Floats:
        """The same for a node and all nodes above it."""

    def below(self, verdict: Judgement) -> Surcharge | None:
        """What a verdict says about the nodes below, if anything."""


def bounds_of(metric: Metric, table: Table, codes: Codes) -> Bounds:
    """The bounds of a metric; ``codes[column, distinct row]`` are the values of the distinct rows."""
    kind = type(metric)
    plain = kind.node_key is Metric.node_key
    if isinstance(metric, CellMetric) and plain and kind.node_score is CellMetric.node_score:
        return CellBounds(metric, table, codes)
    return MetricBounds(metric, table)


class MetricBounds:
    """What the metric itself says."""

    def __init__(self, metric: Metric, table: Table) -> None:
        self._metric, self._table = metric, table
        self.are_final = type(metric).node_floor is Metric.node_floor

    def of(self, levels: Codes) -> Floats:
        """The metric's own bounds."""
        return self._metric.node_bounds(self._table, levels)

    def onwards(self, levels: Codes) -> Floats:
        """The same."""
        return self.of(levels)

    def below(self, verdict: Judgement) -> FlatSurcharge | None:
        """What so many suppressed rows cost, where the metric can tell (its ``suppression_floor``)."""
        floor: Callable[[Table, int], Sequence[float]] | None = getattr(self._metric, "suppression_floor", None)
        if floor is None or verdict.n_doomed == 0:
            return None
        return FlatSurcharge(verdict.levels, floor(self._table, verdict.n_doomed))


@dataclass(frozen=True, eq=False)
class FlatSurcharge:
    """The same for all nodes below ``levels``."""

    levels: Levels
    key: Sequence[float]

    def of(self, levels: Codes) -> Floats:
        """The key for each node."""
        return np.tile(np.asarray(self.key, np.float64), (levels.shape[0], 1))


class CellBounds:
    """Bounds on losses that are made of the mean price of each column.

    At a node a row pays in each column the price of the node's level or what a suppressed row pays there; it pays at
    least the smaller one, and the latter where it is known to be suppressed. Rows in hopeless classes of a node are
    suppressed at every node below it.
    """

    are_final = True

    def __init__(self, metric: CellMetric, table: Table, codes: Codes) -> None:
        self._metric, self._table, self._codes = metric, table, codes
        self._prices = prices = metric.prices_on(table)
        self._surcharge = np.maximum(prices.extra, 0.0)
        self._least = _least(prices, table)

    def of(self, levels: Codes) -> Floats:
        """The least that each column can lose, combined. O(nodes · columns)."""
        return self.combined(levels, self._least)

    def onwards(self, levels: Codes) -> Floats:
        """The metric's own bounds."""
        return self._metric.node_bounds(self._table, levels)

    def below(self, verdict: Judgement) -> CellSurcharge | None:
        """The same with the hopeless rows suppressed. O(hopeless classes · levels of all columns)."""
        if not verdict.hopeless.any():
            return None
        classes, prices = verdict.classes, self._prices
        tops = np.array(classes.levels, np.int64)
        charged, firsts, codes = self._surcharge, classes.firsts, self._codes
        flags, starts, widths = verdict.hopeless, prices.starts, prices.widths
        paid = pay_on_all_levels(classes.sizes, flags, firsts, codes, charged, starts, widths, tops) / prices.n_rows
        least = [least[: top + 1] + more[: top + 1] for least, more, top in zip(self._least, paid, tops, strict=True)]
        return CellSurcharge(classes.levels, self, least)

    def combined(self, levels: Codes, least: Sequence[Floats]) -> Floats:
        """The key from what each column loses at least on each level."""
        losses = np.empty(levels.shape)
        for c, of_level in enumerate(least):
            losses[:, c] = of_level[levels[:, c]]
        return self._metric.combine(losses, self._table)[:, None]


@dataclass(frozen=True, eq=False)
class CellSurcharge:
    """What the columns lose at least on each level up to ``levels``."""

    levels: Levels
    bounds: CellBounds
    least: Sequence[Floats]

    def of(self, levels: Codes) -> Floats:
        """The least that each column can lose, combined. O(nodes · columns)."""
        return self.bounds.combined(levels, self.least)


def _least(prices: LevelPrices, table: Table) -> list[Floats]:
    """Per column the mean over rows of the smaller of what they pay kept and suppressed, on each level."""
    least = []
    for c, means in enumerate(prices.means):
        extra = prices.extra[prices.starts[c] :][: means.size * prices.widths[c]].reshape(means.size, -1)
        counts = table.value_counts(c)
        least.append(means + np.minimum(extra, 0.0) @ counts / max(1, prices.n_rows))
    return least
