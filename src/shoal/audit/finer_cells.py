"""Finer readings of a release: inferences about single records from how algorithms choose cells.

Records of a class are interchangeable, so a reading says how many records of a class have a finer cell, not which. Each
rule is an assumption about the algorithm, and each reading is about one column.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from shoal.core.arrays import Codes, Flags, Offsets
from shoal.core.cells import Cells
from shoal.core.groups import Groups
from shoal.core.hierarchy import Hierarchy
from shoal.core.table import QuasiColumn
from shoal.kernels.distinct import number_rows

Pieces = dict[int, list[tuple[Codes, int]]]
"""For each shape, finer cells as leaves, and the least number of its records that have each."""


@dataclass(frozen=True, eq=False)
class ColumnView:
    """One column of a release, with one entry per shape.

    ``sizes`` counts the records of each shape, ``beside`` numbers the combinations of their other columns.
    ``shows_ends`` flags the distinct cells whose outermost values are printed. ``k`` is the required size of a class.
    """

    column: QuasiColumn
    cells: Cells
    sizes: Offsets
    beside: Codes
    shows_ends: Flags
    k: int


def views(
    quasi: Sequence[QuasiColumn], cells: Sequence[Cells], sizes: Offsets, ends: Sequence[Flags], k: int
) -> list[ColumnView]:
    """Return a view of each column."""
    shown = [*ends] or [np.zeros(column.n_distinct, bool) for column in cells]
    found = []
    for j, column in enumerate(quasi):
        others = [other.ids for i, other in enumerate(cells) if i != j]
        beside = number_rows(np.array(others, np.int32))[0] if others else np.zeros(sizes.size, np.int32)
        found.append(ColumnView(column, cells[j], sizes, beside, shown[j], k))
    return found


def tight(view: ColumnView) -> Pieces | None:
    """Assume that no cell is wider than its class needs.

    So somebody has each end of a range, each value of a set, a value in each of two branches. True of all releases
    whose cells are the closures of their classes, including minimal ones (Cohen 2022).
    """
    outer = {cell: _outermost(view, cell) for cell in np.unique(view.cells.ids).tolist()}
    needed = np.array([len(outer.get(cell, ())) for cell in range(view.cells.n_distinct)])[view.cells.ids]
    if (needed > view.sizes).any():
        return None
    return {
        shape: [(leaves, 1) for leaves in outer[cell]]
        for shape, cell in enumerate(view.cells.ids.tolist())
        if outer[cell]
    }


def _outermost(view: ColumnView, cell: int) -> list[Codes]:
    """The parts of this cell that a class must have."""
    leaves = view.cells.leaves(cell)
    tree = view.column.recoding.labelled
    if leaves.size < 2:
        return []
    if tree is not None:
        branches = _branches(tree, leaves)
        return branches if len(branches) == 2 else []
    if view.column.domain.is_ordered:
        return [leaves[:1], leaves[-1:]] if view.shows_ends[cell] else []
    return [leaves[i : i + 1] for i in range(leaves.size)] if leaves.size < view.column.domain.n_leaves else []


def nested(view: ColumnView) -> Pieces | None:
    """Assume that rows are published as finely as possible: a coarse class has no values of a finer one beside it."""
    leaves = [set(view.cells.leaves(cell).tolist()) for cell in range(view.cells.n_distinct)]
    pieces: Pieces = {}
    for shape, own, others in _neighbours(view, leaves):
        inside = [other for other in others if other < own]
        left = own.difference(*inside)
        if inside and left:
            pieces[shape] = [(np.array(sorted(left), np.int32), int(view.sizes[shape]))]
    return pieces


def greedy(view: ColumnView) -> Pieces | None:
    """Like nested; and k rows of a coarse class that agreed on a finer cell would have formed a class of their own.

    So each branch without a class has fewer than k rows, the others have none, and what the other branches cannot hold
    is in this one. Reference: Chhillar, Righi, Sutter and Kornaropoulos 2025, Exposing Privacy Risks in Anonymizing
    Clinical Data, for one column and one level at a time.
    """
    tree = view.column.recoding.labelled
    if tree is None:
        return {}
    branches = {cell: _branches(tree, view.cells.leaves(cell)) for cell in np.unique(view.cells.ids).tolist()}
    leaves = [set(view.cells.leaves(cell).tolist()) for cell in range(view.cells.n_distinct)]
    pieces: Pieces = {}
    for shape, _, others in _neighbours(view, leaves, alone=True):
        below = branches[int(view.cells.ids[shape])]
        free = [branch for branch in below if not any(set(branch.tolist()) == other for other in others)]
        n, most = int(view.sizes[shape]), view.k - 1
        if below and n > len(free) * most:
            return None
        least = n - (len(free) - 1) * most
        if free and least > 0:
            pieces[shape] = [(branch, least) for branch in free]
    return pieces


RULES: Mapping[str, tuple[Callable[[ColumnView], Pieces | None], str]] = {
    "greedy": (greedy, "a part of a class that was large enough would have been a class of its own"),
    "nested": (nested, "finer classes beside them already cover a part of their cells"),
    "tight": (tight, "no cell is wider than its class needs, so somebody has each of its ends"),
}
"""Each rule with its rationale; a rule returns None if the release itself contradicts it."""


def read_finer(cells: Cells, shapes: Codes, pieces: Pieces) -> tuple[Cells, int]:
    """Refine the cells of the records as the pieces say; also return how many records that changes. O(records)."""
    lists: list[Codes] = [cells.leaves(cell) for cell in range(cells.n_distinct)]
    ids = cells.ids[shapes].copy()
    members = Groups.from_ids(shapes, len(cells))
    n_changed = 0
    for shape, parts in pieces.items():
        at = members.offsets[shape]
        for leaves, count in parts:
            ids[members.members[at : at + count]] = len(lists)
            lists.append(leaves)
            at, n_changed = at + count, n_changed + count
    offsets = np.cumsum([0, *(found.size for found in lists)]).astype(np.int64)
    n_leaves = int(max(found[-1] for found in lists)) + 1
    distinct = Cells.of_sets(Groups(offsets, np.concatenate(lists)), np.arange(n_leaves, dtype=np.int32), n_leaves)
    return distinct.take(ids), n_changed


def _branches(tree: Hierarchy, leaves: Codes) -> list[Codes]:
    """The children of a node; empty if the leaves are not a node, or a single leaf."""
    low, high = int(leaves[0]), int(leaves[-1])
    if leaves.size != high - low + 1 or high >= tree.n_leaves:
        return []
    for level in range(tree.n_levels - 1, -1, -1):
        if low <= int(tree.low[level, low]) and int(tree.high[level, low]) < high:
            starts = np.unique(tree.low[level, low : high + 1])
            ends = np.append(starts[1:], high + 1)
            return [np.arange(a, b, dtype=np.int32) for a, b in zip(starts, ends, strict=True)]
    return []


def _neighbours(
    view: ColumnView, leaves: list[set[int]], *, alone: bool = False
) -> Iterator[tuple[int, set[int], list[set[int]]]]:
    """Each shape with its leaves and those of shapes that agree elsewhere; ``alone`` includes shapes without any."""
    groups = Groups.from_ids(view.beside, int(view.beside.max(initial=-1)) + 1)
    for g in range(len(groups)):
        members = groups.of(g).tolist()
        if len(members) < 2 and not alone:
            continue
        for shape in members:
            others = [leaves[view.cells.ids[other]] for other in members if other != shape]
            yield shape, leaves[view.cells.ids[shape]], others
