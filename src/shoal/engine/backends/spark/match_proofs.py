"""What a task says about who fits what, so that the cluster can look at it again without a search of its own.

A pair of a row and a record is a claim that takes a moment to check. So for promises about matches each record comes
with rows that fit it, enough for the promise, and for k-concealment with the proof that rows reach each other: for each
row the next one on a way to the root of its part, and on a way from there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import pairwise

import numpy as np
import polars as pl
import pyarrow as pa

from shoal.core.arrays import Codes, Flags, Offsets
from shoal.core.cells import Cells
from shoal.core.consistency import Consistency, consistency_of
from shoal.core.contracts import Algorithm, CountedMatches, Goal, GroupModel
from shoal.core.groups import Groups
from shoal.core.release import Release
from shoal.kernels.assignment_graph import invert

_INT = pa.int32()
_WAYS = ("part", "up", "up_rank", "down", "down_rank")

ARROW = pa.struct(
    [
        ("block", _INT),
        ("row", _INT),
        ("codes", pa.list_(_INT)),
        ("cells", pa.list_(pa.list_(_INT))),
        ("rows", pa.list_(_INT)),
        *((name, _INT) for name in _WAYS),
    ]
)
"""The type of what is said about one record."""

_SCHEMA = pl.DataFrame(pa.schema(list(ARROW)).empty_table()).schema


def is_wanted(algorithm: Algorithm) -> bool:
    """Whether an algorithm gives records cells of their own, so that its promises are about matches."""
    return any(not issubclass(kind, GroupModel) for kind in algorithm.serves)


def tells_ways(goal: Goal) -> bool:
    """Whether the cluster has to look at complete assignments again: tasks then tell the ways between their rows."""
    return any(counted.in_assignments for counted in _counted(goal))


def _counted(goal: Goal) -> list[CountedMatches]:
    return [counted for promise in goal.promises if (counted := promise.counted_matches) is not None]


def witnesses(release: Release, goal: Goal, algorithm: Algorithm, block: int) -> pl.DataFrame:
    """One row per record, in the order of the release: fields of ``ARROW``."""
    ways: Mapping[str, Codes | None] = dict.fromkeys(_WAYS)
    if release.matches is not None and not algorithm.matches_are_fits:
        lists = [release.matches.of(shape).tolist() for shape in range(len(release.matches))]
        rows = [lists[shape] for shape in release.shapes.tolist()]
    else:
        rows = _chosen(release, goal)
        if tells_ways(goal):
            ways = _ways(consistency_of(release), release.owners)
    codes = release.table.codes[:, release.owners].T.tolist()
    made = {"block": block, "row": release.owners, "codes": codes, "cells": _cells(release), "rows": rows, **ways}
    return pl.DataFrame(made, schema=_SCHEMA)


def _cells(release: Release) -> list[list[list[int]]]:
    """The cells of each record, each a list of intervals."""
    lists = [[_intervals(cells, cell) for cell in range(cells.n_distinct)] for cells in release.cells]
    ids = [cells.ids[release.shapes].tolist() for cells in release.cells]
    return [[known[i] for known, i in zip(lists, row, strict=True)] for row in zip(*ids, strict=True)]


def _intervals(cells: Cells, cell: int) -> list[int]:
    if not cells.are_sets:
        return [int(cells.low[cell]), int(cells.high[cell])]
    return np.repeat(cells.leaves(cell), 2).tolist()


def _chosen(release: Release, goal: Goal) -> list[list[int]]:
    """For each record rows that fit it, so many that each promise is seen to hold if it does."""
    graph, n = consistency_of(release), release.n_records
    keys = [np.empty(0, np.int64)]
    for counted in _counted(goal):
        kept = graph.is_match if counted.in_assignments else np.ones(graph.types.size, bool)
        keys += _sides(graph, kept, counted.k, rows=counted.of_rows, records=counted.of_records)
    pairs = np.unique(np.concatenate(keys))
    records, rows = pairs // n, release.owners[pairs % n]
    bounds = np.searchsorted(records, np.arange(n + 1)).tolist()
    flat = rows.tolist()
    return [flat[start:stop] for start, stop in pairwise(bounds)]


def _sides(graph: Consistency, kept: Flags, k: int, *, rows: bool, records: bool) -> Iterable[Offsets]:
    """Pairs as ``record · n + row``, rows called by their records: k of each row, and of each record."""
    n = graph.type_of.size
    of_type, of_shape = Groups.from_ids(graph.type_of, graph.n_types), Groups.from_ids(graph.shape_of, graph.n_shapes)
    shapes = np.repeat(np.arange(graph.n_shapes, dtype=np.int32), np.diff(graph.offsets))[kept]
    offsets = np.searchsorted(shapes, np.arange(graph.n_shapes + 1)).astype(np.int64)
    if records:
        own, other = _first(Groups(offsets, graph.types[kept]), of_type, of_shape, k)
        yield own * n + other
    if rows:
        own, other = _first(Groups(*invert(offsets, graph.types[kept], graph.n_types)), of_shape, of_type, k)
        yield other * n + own


def _first(lists: Groups, members: Groups, owners: Groups, k: int) -> tuple[Offsets, Offsets]:
    """For each member of group ``g`` of ``owners`` the first k members of the groups that list ``g`` names."""
    sizes = members.sizes[lists.members]
    before = np.cumsum(sizes) - sizes
    before -= np.repeat(before[np.minimum(lists.offsets[:-1], max(0, before.size - 1))], lists.sizes)
    take = np.clip(k - before, 0, sizes)
    groups = np.repeat(np.arange(len(lists)), lists.sizes)
    found = members.members[_ranges(members.offsets[lists.members], take)]
    counts = np.bincount(groups, take, len(lists)).astype(np.int64)
    ends = np.cumsum(counts)
    which = owners.ids(owners.members.size)
    own = np.repeat(np.arange(which.size, dtype=np.int64), counts[which])
    return own, found[_ranges((ends - counts)[which], counts[which])].astype(np.int64)


def _ranges(starts: Offsets, sizes: Offsets) -> Offsets:
    """``start, start + 1, …`` for each start, so many as its size says, one after the other."""
    ends = np.cumsum(sizes)
    found: Offsets = np.arange(ends[-1] if ends.size else 0) + np.repeat(starts - (ends - sizes), sizes)
    return found


def _ways(graph: Consistency, owners: Codes) -> dict[str, Codes]:
    """For each record's owner: its part, and the next row on a path to the root (``up``) and from the root (``down``).

    Ranks fall on the path to the root and rise on the path from it; the root leads to itself. The paths are found by
    breadth-first search in both directions from one row of each strong component. O(pairs).
    """
    part = graph.components[0][graph.type_of]
    roots = np.unique(part, return_index=True)[1].astype(np.int32)
    edges = np.flatnonzero(graph.is_match)
    shapes = np.repeat(np.arange(graph.n_shapes, dtype=np.int64), np.diff(graph.offsets))[edges]
    fits = np.array([graph.types[edges], shapes + graph.n_types])
    owns = np.array([graph.shape_of + graph.n_types, graph.type_of])
    both = np.concatenate([fits, owns], axis=1)
    n, start = graph.n_types + graph.n_shapes, graph.type_of[roots]
    is_root = np.zeros(part.size, bool)
    is_root[roots] = True
    before, down_rank = _searched(both, start, n)
    down = _down(graph, before, is_root)
    after, up_rank = _searched(both[::-1], start, n)
    return {
        "part": part,
        "up": owners[_up(graph, after, roots, part)],
        "up_rank": np.where(is_root, 0, up_rank[graph.type_of] + 1),
        "down": owners[down],
        "down_rank": np.where(is_root, 0, down_rank[graph.shape_of + graph.n_types] + 1),
    }


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


def _up(graph: Consistency, before: Codes, roots: Codes, part: Codes) -> Codes:
    """The row after each row on the path to the root: the owner of a record that it fits, nearer to the root."""
    records = np.arange(part.size)
    nearer = before[graph.shape_of + graph.n_types] == graph.type_of
    chosen = np.zeros(graph.n_shapes, np.int64)
    chosen[graph.shape_of[nearer]] = records[nearer]
    shapes = before[graph.type_of] - graph.n_types
    after = chosen[np.clip(shapes, 0, graph.n_shapes - 1)]
    of_part = np.zeros(int(part.max(initial=-1)) + 1, np.int64)
    of_part[part[roots]] = roots
    own = of_part[part]
    return np.where(graph.type_of == graph.type_of[own], own, after)
