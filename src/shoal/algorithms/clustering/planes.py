"""A column as a plane: its cells as integers, and what they cost.

Only leaves that occur in rows are used, so a column has no more nodes than its rows can need.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from shoal.core.arrays import Codes, Whole
from shoal.core.cells import Cells
from shoal.core.priced_column import PricedColumn
from shoal.kernels.clustering_space import CLIMB, HALF, RANGE, SETS, SPAN, TABLE

MOST_NODES = 512
"""A tree with more nodes is climbed instead of stored as a table of all pairs."""

SMALL = 256
"""A column with at most this many possible cells becomes a table; also the most nodes of a fused plane."""

MOST_PRICED = 256
"""A range over more values is priced by its two ends instead of by a table of all pairs."""

WORD, MOST_WORDS = 62, 4
"""Values per word of a set, and words; beyond that, several values share a bit, and the search underestimates a set's
size."""


@dataclass(frozen=True, eq=False)
class Plane:
    """One plane in the form that the kernels need, and the cell of each row in it."""

    kind: int
    width: int
    prices: Whole
    cells: Whole
    joins: Whole = field(default_factory=lambda: np.zeros(0, np.int64))
    top: int = -1
    base: int = 0


def planes_of(priced: PricedColumn, codes: Codes) -> list[Plane]:
    """The planes of a column: one, or several words of a large set. O(rows + tabulated cells)."""
    leaves = priced.occurring
    places = np.zeros(priced.column.domain.n_leaves, np.int64)
    places[leaves] = np.arange(leaves.size)
    rows = places[codes]
    recoding = priced.column.recoding
    if recoding.closes_to_nodes:
        return [_tree(priced, rows)]
    if recoding.exact(leaves[:1]).are_sets:
        return _sets(priced, leaves, rows)
    return [_ranges(priced, leaves, rows)]


def _tree(priced: PricedColumn, rows: Whole) -> Plane:
    """A plane of nodes, numbered so that a parent has a larger number than its children."""
    ladders, prices, parents = ladder_of(priced)
    if parents.size > MOST_NODES:
        return Plane(CLIMB, parents.size, prices, ladders[0][rows].astype(np.int64), parents)
    return table(_climbed(parents), prices, ladders[0][rows])


def ladder_of(priced: PricedColumn) -> tuple[Whole, Whole, Whole]:
    """The node of each occurring leaf on each level; the price and the parent of each node. O(levels · leaves).

    Nodes around the same occurring leaves are treated as one; parents have larger numbers than their children.
    """
    nested, leaves = priced.column.recoding.nested, priced.occurring
    before = np.concatenate([[0], np.cumsum(priced.column.domain.occurs)])
    spans = np.stack([before[nested.low[:, leaves]], before[nested.high[:, leaves] + 1]])
    keys = np.stack([spans[1] - spans[0], spans[0]]).reshape(2, -1)
    nodes, firsts, numbers = np.unique(keys, axis=1, return_index=True, return_inverse=True)
    ladders = numbers.reshape(nested.n_levels, leaves.size)
    parents = np.arange(nodes.shape[1])
    for below, above in pairwise(ladders):
        parents[below[below != above]] = above[below != above]
    low, high = nested.low[:, leaves].ravel()[firsts], nested.high[:, leaves].ravel()[firsts]
    return ladders, priced.of_ranges(low, high), parents


def _climbed(parents: Whole) -> Whole:
    """The lowest node above each pair of nodes."""
    one, other = (grid.copy() for grid in np.indices((parents.size, parents.size)))
    while (apart := one != other).any():
        lower = one < other
        one = np.where(apart & lower, parents[one], one)
        other = np.where(apart & ~lower, parents[other], other)
    return one


def table(joined: Whole, prices: Whole, cells: Whole) -> Plane:
    """A plane of few nodes: the join of each pair, the price of each node, the node of each row."""
    return Plane(TABLE, prices.size, prices[joined].ravel(), cells.astype(np.int64), joined.ravel())


def _ranges(priced: PricedColumn, leaves: Codes, rows: Whole) -> Plane:
    """A plane of ranges over the occurring leaves."""
    n = leaves.size
    if n * (n + 1) // 2 <= SMALL:
        return _few_ranges(priced, leaves, rows)
    cells = rows << HALF | rows
    if n <= MOST_PRICED:
        first, last = np.minimum(*np.indices((n, n))).ravel(), np.maximum(*np.indices((n, n))).ravel()
        return Plane(RANGE, n, _range_prices(priced, leaves[first], leaves[last]), cells)
    missing = priced.column.domain.missing
    top = n - 1 if missing is not None and leaves[-1] == missing else -1
    end = leaves[n - 1 if top < 0 else n - 2]
    up = _range_prices(priced, np.full(n, leaves[0]), leaves)
    down = up[n - 1 if top < 0 else n - 2] - _range_prices(priced, np.minimum(leaves, end), np.full(n, end))
    return Plane(SPAN, n, np.concatenate([up, np.minimum(up, down), up[-1:]]), cells, top=top)


def _range_prices(priced: PricedColumn, first: Codes, last: Codes) -> Whole:
    return priced(priced.column.recoding.close(first.astype(np.int32), last.astype(np.int32)))


def _few_ranges(priced: PricedColumn, leaves: Codes, rows: Whole) -> Plane:
    """A plane that has every range as a node."""
    n = leaves.size
    first, last = np.triu_indices(n)
    numbers = np.zeros((n, n), np.int64)
    numbers[first, last] = np.arange(first.size)
    joined = numbers[np.minimum.outer(first, first), np.maximum.outer(last, last)]
    return table(joined, _range_prices(priced, leaves[first], leaves[last]), numbers[rows, rows])


def _sets(priced: PricedColumn, leaves: Codes, rows: Whole) -> list[Plane]:
    """Planes of sets of the occurring leaves; sets that need several words are priced by their number of members."""
    n = leaves.size
    if 2**n - 1 <= SMALL:
        return [_few_sets(priced, leaves, rows)]
    if n <= WORD:
        return [Plane(SETS, n + 1, np.append(0, priced.of_sets()), np.int64(1) << rows)]
    each = int(priced(_set_cells([leaves]))[0]) // (n - 1)
    n_words = min(MOST_WORDS, -(-n // WORD))
    bits = rows % (n_words * WORD)
    words = [np.where(bits // WORD == word, np.int64(1) << bits % WORD, 0) for word in range(n_words)]
    bases = [-each] + [0] * (n_words - 1)
    counted = each * np.arange(WORD + 1)
    return [Plane(SETS, WORD + 1, counted, word, base=base) for word, base in zip(words, bases, strict=True)]


def _few_sets(priced: PricedColumn, leaves: Codes, rows: Whole) -> Plane:
    """A plane that has every set as a node; node ``s`` is the set with the bits ``s + 1``."""
    sets = np.arange(1, 2**leaves.size)
    members = [leaves[(s >> np.arange(leaves.size)) & 1 == 1] for s in sets]
    return table(np.bitwise_or.outer(sets, sets) - 1, priced(_set_cells(members)), (np.int64(1) << rows) - 1)


def _set_cells(sets: list[Codes]) -> Cells:
    """One cell per set."""
    offsets = np.cumsum([0] + [s.size for s in sets]).astype(np.int64)
    ends = np.array([[s[0], s[-1]] for s in sets], np.int32)
    flat = np.concatenate(sets).astype(np.int32)
    return Cells(np.arange(len(sets), dtype=np.int32), ends[:, 0], ends[:, 1], None, offsets, flat)
