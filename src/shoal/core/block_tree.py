"""A tree of cuts that sends similar rows to the same block; learned from a sample, it places any number of rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from shoal.core.arrays import Codes, Floats, Offsets
from shoal.core.hierarchy import Hierarchy
from shoal.core.table import QuasiColumn
from shoal.kernels.descending import descend

_TAIL = 0.02
"""The share of rows at either end of a column that is ignored when its spread is measured."""

_LEAST_SIDE = 0.25
"""Each side of a cut should have at least this share of the block's rows."""


@dataclass(frozen=True, eq=False)
class Cuts:
    """Node ``v`` sends codes of ``column[v]`` up to ``at[v]`` to node ``child[v]``, the others to ``child[v] + 1``.

    A node without a column (−1) is a block, and ``child[v]`` is its number. Blocks are numbered so that neighbours are
    similar. ``sampled[b]`` counts the sample rows in block ``b``.
    """

    column: Codes
    at: Codes
    child: Codes
    sampled: Codes

    @property
    def n_blocks(self) -> int:
        """Number of blocks."""
        return int((self.column < 0).sum())

    def place(self, codes: Codes) -> Codes:
        """The block of each row of ``codes[column, row]``. O(rows · depth)."""
        return np.asarray(descend(codes, self.column, self.at, self.child))


def learn_cuts(columns: Sequence[QuasiColumn], codes: Codes, most: float) -> Cuts:
    """Cut a sample of rows at quantiles until no block has more than ``most`` of them, as far as rows differ.

    Each block is cut beside the median of the column in which its rows spread most widely, ignoring the outermost rows;
    a column with a hierarchy is cut between two of its nodes if the cut is balanced enough. Equal rows stay together.
    O(rows · columns · depth).
    """
    builder = _Builder(columns, codes, most)
    builder.grow(np.arange(codes.shape[1]))
    return builder.finished()


class _Builder:
    """The tree under construction."""

    def __init__(self, columns: Sequence[QuasiColumn], codes: Codes, most: float) -> None:
        self._columns, self._codes, self._most = columns, codes, max(1.0, most)
        self._places = [_places(column) for column in columns]
        self._column, self._at, self._child = [-1], [0], [0]
        self._sampled: list[int] = []

    def finished(self) -> Cuts:
        return Cuts(*(np.array(each, np.int32) for each in (self._column, self._at, self._child, self._sampled)))

    def grow(self, rows: Offsets) -> None:
        """Cut the rows at the root and go on with the two sides; an explicit stack keeps the blocks in order."""
        stack = [(0, rows)]
        while stack:
            node, inside = stack.pop()
            cut = self._cut(inside) if inside.size > self._most else None
            if cut is None:
                self._child[node] = len(self._sampled)
                self._sampled.append(inside.size)
                continue
            self._column[node], self._at[node] = cut
            self._child[node] = len(self._column)
            self._column += [-1, -1]
            self._at += [0, 0]
            self._child += [0, 0]
            goes_left = self._codes[cut[0], inside] <= cut[1]
            stack.append((self._child[node] + 1, inside[~goes_left]))
            stack.append((self._child[node], inside[goes_left]))

    def _cut(self, rows: Offsets) -> tuple[int, int] | None:
        """The column and the last code of the lower side, or None if all rows are equal."""
        found = []
        for j, column in enumerate(self._columns):
            counts = np.bincount(self._codes[j, rows], minlength=column.domain.n_leaves)
            if (counts > 0).sum() > 1:
                at, balance = _beside_median(counts, column.recoding.nested)
                found.append((balance >= _LEAST_SIDE, self._spread(j, counts), balance, j, at))
        if not found:
            return None
        is_good = any(good for good, *_ in found)
        best = max(found, key=lambda cut: (cut[0], cut[1] if is_good else cut[2], -cut[3]))
        return best[3], best[4]

    def _spread(self, j: int, counts: Offsets) -> float:
        """How far apart the rows lie in a column, ignoring the outermost ones."""
        before = np.cumsum(counts)
        first, last = np.searchsorted(before, [before[-1] * _TAIL, before[-1] * (1 - _TAIL)])
        places = self._places[j]
        return float(places[last] - places[first]) * self._columns[j].weight


def _places(column: QuasiColumn) -> Floats:
    """Positions of the leaves in [0, 1]: by value for numbers and dates, else by rank; the missing value lies at 2."""
    domain, n = column.domain, column.domain.n_leaves
    places: Floats = np.arange(n) / max(1, n - 1)
    if column.recoding.has_width:
        points = np.delete(domain.places, domain.missing) if domain.missing is not None else domain.places
        least, most = points.min(initial=np.inf), points.max(initial=-np.inf)
        places = (domain.places - least) / (most - least) if most > least else np.zeros(n)
    if domain.missing is not None:
        places[domain.missing] = 2.0
    return places


def _beside_median(counts: Offsets, nested: Hierarchy) -> tuple[int, float]:
    """The last code of the lower side and the share of the smaller side; between nodes if that is balanced enough."""
    before = np.cumsum(counts)
    present = np.flatnonzero(counts)
    cuts = present[:-1]
    balance = np.minimum(before[cuts], before[-1] - before[cuts]) / before[-1]
    for level in range(nested.n_levels - 1, 0, -1):
        on_edge = nested.high[level, cuts] < nested.low[level, present[1:]]
        if on_edge.any() and balance[on_edge].max() >= _LEAST_SIDE:
            best = int(np.argmax(np.where(on_edge, balance, -1.0)))
            return int(cuts[best]), float(balance[best])
    best = int(np.argmax(balance))
    return int(cuts[best]), float(balance[best])
