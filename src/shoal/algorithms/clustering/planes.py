"""The cells of rows as planes, one or several per column.

Only leaves that occur in rows are used, so a column has no more nodes than its rows can need.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.core.arrays import Codes, Whole
from shoal.core.cells import Cells
from shoal.core.planes import Nodes, Plane, tabulated_ranges
from shoal.core.priced_column import PricedColumn
from shoal.kernels.clustering_space import HALF
from shoal.kernels.planes import SETS, SPAN, TABLE

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
class RowPlane:
    """A plane and the cell of each row in it; ``base`` is added to every price."""

    plane: Plane
    cells: Whole
    base: int = 0


def planes_of(priced: PricedColumn, codes: Codes) -> list[RowPlane]:
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


def _tree(priced: PricedColumn, rows: Whole) -> RowPlane:
    """A plane of nodes, joined by a table if there are few."""
    nodes = Nodes.of(priced, priced.column.domain.occurs)
    n = nodes.parents.size
    return RowPlane(nodes.ladder(n) if n > MOST_NODES else nodes.table(n), rows)


def table(joined: Whole, prices: Whole, cells: Whole) -> RowPlane:
    """A plane of few nodes: the join of each pair, the price of each node, the node of each row."""
    return RowPlane(Plane(TABLE, prices.size, prices[joined].ravel(), joined.ravel()), cells.astype(np.int64))


def _ranges(priced: PricedColumn, leaves: Codes, rows: Whole) -> RowPlane:
    """A plane of ranges over the occurring leaves."""
    n = leaves.size
    if n * (n + 1) // 2 <= SMALL:
        return _few_ranges(priced, leaves, rows)
    cells = rows << HALF | rows
    if n <= MOST_PRICED:
        return RowPlane(tabulated_ranges(priced, leaves), cells)
    missing = priced.column.domain.missing
    top = n - 1 if missing is not None and leaves[-1] == missing else -1
    end = leaves[n - 1 if top < 0 else n - 2]
    up = priced.of_closed(np.full(n, leaves[0]), leaves)
    down = up[n - 1 if top < 0 else n - 2] - priced.of_closed(np.minimum(leaves, end), np.full(n, end))
    return RowPlane(Plane(SPAN, n, np.concatenate([up, np.minimum(up, down)]), top=top, lower=n), cells)


def _few_ranges(priced: PricedColumn, leaves: Codes, rows: Whole) -> RowPlane:
    """A plane that has every range as a node."""
    n = leaves.size
    first, last = np.triu_indices(n)
    numbers = np.zeros((n, n), np.int64)
    numbers[first, last] = np.arange(first.size)
    joined = numbers[np.minimum.outer(first, first), np.maximum.outer(last, last)]
    return table(joined, priced.of_closed(leaves[first], leaves[last]), numbers[rows, rows])


def _sets(priced: PricedColumn, leaves: Codes, rows: Whole) -> list[RowPlane]:
    """Planes of sets of the occurring leaves; sets that need several words are priced by their number of members."""
    n = leaves.size
    if 2**n - 1 <= SMALL:
        return [_few_sets(priced, leaves, rows)]
    if n <= WORD:
        return [RowPlane(Plane(SETS, n, np.append(0, priced.of_sets())), np.int64(1) << rows)]
    each = int(priced(_set_cells([leaves]))[0]) // (n - 1)
    n_words = min(MOST_WORDS, -(-n // WORD))
    bits = rows % (n_words * WORD)
    words = [np.where(bits // WORD == word, np.int64(1) << bits % WORD, 0) for word in range(n_words)]
    bases = [-each] + [0] * (n_words - 1)
    counted = Plane(SETS, WORD, each * np.arange(WORD + 1))
    return [RowPlane(counted, word, base) for word, base in zip(words, bases, strict=True)]


def _few_sets(priced: PricedColumn, leaves: Codes, rows: Whole) -> RowPlane:
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
