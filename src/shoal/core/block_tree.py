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
    places = [_places(column) for column in columns]
    nodes, sampled = [[-1, 0, 0]], list[int]()
    stack = [(0, np.arange(codes.shape[1]))]
    while stack:  # the lower side is cut first, which keeps the blocks in order
        node, rows = stack.pop()
        cut = _cut(columns, places, codes, rows) if rows.size > max(1.0, most) else None
        if cut is None:
            nodes[node][2] = len(sampled)
            sampled.append(rows.size)
            continue
        nodes[node] = [*cut, len(nodes)]
        goes_left = codes[cut[0], rows] <= cut[1]
        stack += [(len(nodes) + 1, rows[~goes_left]), (len(nodes), rows[goes_left])]
        nodes += [[-1, 0, 0], [-1, 0, 0]]
    column, at, child = np.ascontiguousarray(np.array(nodes, np.int32).T)
    return Cuts(column, at, child, np.array(sampled, np.int32))


def _cut(
    columns: Sequence[QuasiColumn], places: Sequence[Floats], codes: Codes, rows: Offsets
) -> tuple[int, int] | None:
    """The column and the last code of the lower side, or None if all rows are equal."""
    found = []
    for j, column in enumerate(columns):
        counts = np.bincount(codes[j, rows], minlength=column.domain.n_leaves)
        if (counts > 0).sum() > 1:
            at, balance = _beside_median(counts, column.recoding.nested)
            spread = _spread(places[j], counts) * column.weight
            found.append((balance >= _LEAST_SIDE, spread, balance, j, at))
    if not found:
        return None
    is_good = any(good for good, *_ in found)
    best = max(found, key=lambda cut: (cut[0], cut[1] if is_good else cut[2], -cut[3]))
    return best[3], best[4]


def _spread(places: Floats, counts: Offsets) -> float:
    """How far apart the rows lie in a column, ignoring the outermost ones."""
    before = np.cumsum(counts)
    first, last = np.searchsorted(before, [before[-1] * _TAIL, before[-1] * (1 - _TAIL)])
    return float(places[last] - places[first])


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
