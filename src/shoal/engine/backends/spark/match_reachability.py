"""Paths between rows that reach each other: a row leads to the owners of the records that it fits."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.core.arrays import Codes, Flags, Offsets
from shoal.core.consistency import Consistency


@dataclass(frozen=True, eq=False)
class Ways:
    """For each record's owner: its part, and the next row on a path to the root and from the root.

    Ranks fall on the path to the root and rise on the path from it; the root leads to itself.
    """

    part: Codes
    up: Codes
    up_rank: Codes
    down: Codes
    down_rank: Codes


def ways_of(graph: Consistency, owners: Codes) -> Ways:
    """Find the paths by breadth-first search in both directions from one row of each strong component. O(pairs)."""
    part = graph.components[0][graph.type_of]
    roots = np.unique(part, return_index=True)[1].astype(np.int32)
    edges = np.flatnonzero(graph.is_match)
    shapes = np.repeat(np.arange(graph.n_shapes, dtype=np.int64), np.diff(graph.offsets))[edges]
    fits = np.array([graph.types[edges], shapes + graph.n_types])
    owns = np.array([graph.shape_of + graph.n_types, graph.type_of])
    n, start = graph.n_types + graph.n_shapes, graph.type_of[roots]
    is_root = np.zeros(part.size, bool)
    is_root[roots] = True
    before, rank = _searched(np.concatenate([fits, owns], axis=1), start, n)
    down = _down(graph, before, is_root)
    down_rank = np.where(is_root, 0, rank[graph.shape_of + graph.n_types] + 1)
    before, rank = _searched(np.concatenate([fits, owns], axis=1)[::-1], start, n)
    up = _up(graph, before, is_root, roots, part)
    up_rank = np.where(is_root, 0, rank[graph.type_of] + 1)
    return Ways(part, owners[up], up_rank, owners[down], down_rank)


def _searched(edges: Offsets, starts: Codes, n: int) -> tuple[Codes, Codes]:
    """The predecessor of each node in a search from the starts, and its position in the order of visits."""
    from scipy.sparse import csr_array  # type: ignore[import-untyped]
    from scipy.sparse.csgraph import breadth_first_order  # type: ignore[import-untyped]

    tails = np.concatenate([edges[0], np.full(starts.size, n)])
    heads = np.concatenate([edges[1], starts])
    graph = csr_array((np.ones(tails.size, np.int32), (tails, heads)), shape=(n + 1, n + 1))
    order, before = breadth_first_order(graph, n)
    rank = np.zeros(n + 1, np.int32)
    rank[order] = np.arange(order.size, dtype=np.int32)
    return before, rank


def _down(graph: Consistency, before: Codes, is_root: Flags) -> Codes:
    """The row before each row on the path from the root: one that fits its record and was itself reached."""
    records = np.arange(is_root.size)
    reached = before[graph.type_of] == graph.shape_of + graph.n_types
    chosen = np.empty(graph.n_types, np.int64)
    chosen[graph.type_of[reached]] = records[reached]
    chosen[graph.type_of[is_root]] = records[is_root]
    after = chosen[before[graph.shape_of + graph.n_types]]
    return np.where(is_root, records, after)


def _up(graph: Consistency, before: Codes, is_root: Flags, roots: Codes, part: Codes) -> Codes:
    """The row after each row on the path to the root: the owner of a record that it fits, nearer to the root."""
    records = np.arange(is_root.size)
    nearer = before[graph.shape_of + graph.n_types] == graph.type_of
    chosen = np.zeros(graph.n_shapes, np.int64)
    chosen[graph.shape_of[nearer]] = records[nearer]
    shapes = before[graph.type_of] - graph.n_types
    after = chosen[np.clip(shapes, 0, graph.n_shapes - 1)]
    of_part = np.zeros(int(part.max(initial=-1)) + 1, np.int64)
    of_part[part[roots]] = roots
    own = of_part[part]
    return np.where(graph.type_of == graph.type_of[own], own, after)
