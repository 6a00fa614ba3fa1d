"""Count the matches of a release without the code that made it or the models that judge it: bits, and SciPy.

Who fits what: each cell of a column becomes a row of bits, one for each kind of row, and the cells of a record are
anded. A complete assignment: found as a flow in small graphs, in large ones the true one. Then a pair can be assigned
exactly where it is, or where a cycle of pairs in and out of the assignment runs through it: both ends lie in one strong
component.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components, maximum_flow

from shoal.core.cells import Cells
from shoal.core.release import Release

Whole = npt.NDArray[np.int64]
Bits = npt.NDArray[np.uint8]

SMALL = 500_000
"""Pairs of a kind of row and a kind of record up to which an assignment is looked for."""


def matches_of(release: Release) -> tuple[int, int]:
    """The fewest records that match a row, and the fewest rows that match a record; (0, 0) without any assignment."""
    kinds, type_of, people = np.unique(
        release.table.codes[:, release.owners].T, axis=0, return_inverse=True, return_counts=True
    )
    ids = np.array([column.ids[release.shapes] for column in release.cells]).T
    shapes, shape_of, records = np.unique(ids, axis=0, return_inverse=True, return_counts=True)
    lists = _fits(kinds.astype(np.int64), shapes.astype(np.int64), release.cells)
    sizes = np.array([types.size for types in lists])
    tails, heads = np.concatenate(lists), np.repeat(np.arange(sizes.size), sizes)
    owned = np.unique(np.stack([type_of, shape_of]), axis=1)
    types, used = _flow(tails, heads, people, records) if tails.size <= SMALL else owned
    if not types.size or not np.isin(_pairs(types, used), _pairs(tails, heads)).all():
        return 0, 0
    home = _components(tails, heads, types, used, kinds.shape[0], sizes.size)
    kept = home[tails] == home[kinds.shape[0] + heads]
    of_rows = np.bincount(tails[kept], records[heads[kept]], kinds.shape[0])
    of_records = np.bincount(heads[kept], people[tails[kept]], sizes.size)
    return int(of_rows.min()), int(of_records.min())


def _fits(kinds: Whole, shapes: Whole, cells: tuple[Cells, ...]) -> list[Whole]:
    """The kinds of rows inside each kind of record."""
    masks = [_masks(column, kinds[:, c]) for c, column in enumerate(cells)]
    found = []
    for shape in shapes:
        bits = masks[0][shape[0]]
        for c in range(1, len(masks)):
            bits = bits & masks[c][shape[c]]
        found.append(np.flatnonzero(np.unpackbits(bits, count=kinds.shape[0])))
    return found


def _masks(column: Cells, codes: Whole) -> Bits:
    """For each distinct cell of a column which kinds of rows have a value in it, eight to a byte."""
    masks = []
    for cell in range(column.low.size):
        if column.members is None or column.offsets is None:
            inside = (codes >= column.low[cell]) & (codes <= column.high[cell])
        else:
            inside = np.isin(codes, column.members[column.offsets[cell] : column.offsets[cell + 1]])
        masks.append(np.packbits(inside))
    return np.array(masks)


def _pairs(types: Whole, shapes: Whole) -> Whole:
    """Each pair as one number."""
    return shapes.astype(np.int64) << 32 | types.astype(np.int64)


def _flow(tails: Whole, heads: Whole, people: Whole, records: Whole) -> tuple[Whole, Whole]:
    """The pairs that some complete assignment uses, found as a flow from rows to records; none where there is none."""
    n, m = people.size, records.size
    starts = np.concatenate([np.zeros(n, np.int64), 1 + tails, 1 + n + np.arange(m)])
    ends = np.concatenate([1 + np.arange(n), 1 + n + heads, np.full(m, 1 + n + m)])
    most = np.concatenate([people, np.minimum(people[tails], records[heads]), records]).astype(np.int32)
    found = maximum_flow(csr_array((most, (starts, ends)), shape=(n + m + 2, n + m + 2)), 0, n + m + 1)
    flow = found.flow.tocoo()
    between = (flow.data > 0) & (flow.row > 0) & (flow.col <= n + m) & (found.flow_value == people.sum())
    return flow.row[between] - 1, flow.col[between] - 1 - n


def _components(tails: Whole, heads: Whole, types: Whole, used: Whole, n_types: int, n_shapes: int) -> Whole:
    """The strong component of each type and of each shape: types lead to shapes, these back to who has them."""
    n = n_types + n_shapes
    starts = np.concatenate([tails, n_types + used])
    ends = np.concatenate([n_types + heads, types])
    graph = csr_array((np.ones(starts.size, np.int32), (starts, ends)), shape=(n, n))
    found: Whole = connected_components(graph, directed=True, connection="strong")[1]
    return found
