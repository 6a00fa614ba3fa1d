"""Columns as planes: their cells as integers, and what those cost, laid out as ``shoal.kernels.planes`` says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from shoal.core.arrays import Codes, Flags, Whole
from shoal.core.priced_column import PricedColumn
from shoal.kernels.planes import CLIMB, RANGE, TABLE


def _nothing() -> Whole:
    return np.zeros(0, np.int64)


@dataclass(frozen=True, eq=False)
class Plane:
    """One plane; ``bounds``, if given, is the least price of each cell or any larger one.

    The prices of lower ends of ranges begin with entry ``lower``.
    """

    kind: int
    width: int
    prices: Whole
    joins: Whole = field(default_factory=_nothing)
    bounds: Whole = field(default_factory=_nothing)
    top: int = -1
    lower: int = 0


def laid(planes: Sequence[Plane], n_rows: int, dtype: npt.DTypeLike) -> tuple[Whole, npt.NDArray[Any]]:
    """The two arrays of the kernels: the shape of each plane, and ``n_rows`` rows of entries."""
    sizes = [max(plane.prices.size, plane.joins.size) for plane in planes]
    starts = np.cumsum([0, *sizes]).tolist()
    entries = np.zeros((n_rows, starts[-1]), dtype)
    for plane, start in zip(planes, starts, strict=False):
        for row, part in zip(entries, (plane.prices, plane.joins, plane.bounds), strict=False):
            row[start : start + part.size] = part
    shapes = [(p.kind, p.width, start, p.top, start + p.lower) for p, start in zip(planes, starts, strict=False)]
    return np.array(shapes, np.int64).T.copy(), entries


@dataclass(frozen=True, eq=False)
class Nodes:
    """The nodes of a tree around some of its leaves, the narrowest first: leaf ``x`` of those is node ``x``.

    Nodes around the same leaves are one. ``ladders[level, leaf]`` is the node of each leaf on each level; parents have
    larger numbers than their children, and the root is its own parent.
    """

    ladders: Whole
    low: Whole
    high: Whole
    parents: Whole
    prices: Whole

    @classmethod
    def of(cls, priced: PricedColumn, used: Flags) -> Nodes:
        """The nodes around the leaves that are used. O(levels · leaves)."""
        nested, leaves = priced.column.recoding.nested, np.flatnonzero(used)
        before = np.concatenate([[0], np.cumsum(used)])
        starts = before[nested.low[:, leaves]]
        keys = np.stack([before[nested.high[:, leaves] + 1] - starts, starts]).reshape(2, -1)
        nodes, firsts, numbers = np.unique(keys, axis=1, return_index=True, return_inverse=True)
        ladders = numbers.reshape(nested.n_levels, leaves.size)
        parents = np.arange(nodes.shape[1])
        for below, above in pairwise(ladders):
            parents[below[below != above]] = above[below != above]
        prices = priced.of_ranges(nested.low[:, leaves].ravel()[firsts], nested.high[:, leaves].ravel()[firsts])
        return cls(ladders, nodes[1], nodes[1] + nodes[0] - 1, parents, prices)

    @cached_property
    def bounds(self) -> Whole:
        """The least price of each node or any above it."""
        bounds = self.prices.copy()
        for node in reversed(range(bounds.size)):
            bounds[node] = min(bounds[node], bounds[self.parents[node]])
        return bounds

    def table(self, width: int) -> Plane:
        """A plane that tabulates the joins of all nodes with the first ``width`` nodes. O(nodes · width)."""
        joins = np.empty((self.low.size, width), np.int64)
        low, high = self.low[:width], self.high[:width]
        for node in reversed(range(self.low.size)):
            joins[node] = joins[self.parents[node]]
            joins[node, (low >= self.low[node]) & (high <= self.high[node])] = node
        return Plane(TABLE, width, self.prices[joins].ravel(), joins.ravel(), self.bounds[joins].ravel())

    def ladder(self, width: int) -> Plane:
        """A plane in which nodes are joined by climbing."""
        return Plane(CLIMB, width, self.prices, self.parents, self.bounds)


def tabulated_ranges(priced: PricedColumn, leaves: Codes) -> Plane:
    """A plane that tabulates the prices of all ranges of leaves; one with the missing value is all of them."""
    n = leaves.size
    first, last = np.minimum(*np.indices((n, n))).ravel(), np.maximum(*np.indices((n, n))).ravel()
    prices = priced.of_closed(leaves[first], leaves[last])
    bounds = prices.reshape(n, n)[:, ::-1]
    bounds = np.minimum.accumulate(np.minimum.accumulate(bounds, axis=1)[:, ::-1], axis=0)
    return Plane(RANGE, n, prices, bounds=bounds.ravel())
