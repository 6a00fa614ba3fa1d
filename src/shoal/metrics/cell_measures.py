"""How many values and rows a cell covers, its level in the column's hierarchy, and how many classes levels allow."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from shoal.core.arrays import Codes, Floats
from shoal.core.cells import Cells
from shoal.core.node import Node, once
from shoal.core.release import Release
from shoal.core.table import QuasiColumn, Table


def shape_widths(release: Release) -> Floats:
    """``[column, shape]``: the widths of a release's cells."""
    return np.array([cells.sizes[cells.ids] for cells in release.cells], np.float64)


def node_widths(node: Node) -> Floats:
    """``[column, class]``: the widths of a node's cells, for kept and suppressed classes."""
    bounds = [node.bounds(j) for j in range(node.table.n_quasi)]
    return np.array([high - low + 1 for low, high in bounds], np.float64)


def whole_widths(table: Table) -> Floats:
    """``[column]``: the widths of a suppressed record."""
    return np.array([column.domain.n_leaves for column in table.quasi], np.float64)


def level_widths(column: QuasiColumn) -> Floats:
    """``[level, leaf]``: the width of the cell above each leaf on each level."""
    nested = column.recoding.nested
    return (nested.high - nested.low + 1).astype(np.float64)


def summed(cells: Cells, terms: npt.NDArray[np.number]) -> Floats:
    """The sum of ``terms[leaf]`` over the leaves of each distinct cell. O(leaves + distinct cells)."""
    if cells.offsets is None or cells.members is None:
        before = np.concatenate([[0.0], np.cumsum(terms, dtype=np.float64)])
        return np.asarray(before[cells.high + 1] - before[cells.low])
    return np.add.reduceat(np.asarray(terms, np.float64)[cells.members], cells.offsets[:-1])


def logarithms(counts: npt.NDArray[np.number]) -> Floats:
    """log2 of counts; 0 for a count of 0."""
    return np.asarray(np.log2(np.maximum(counts, 1)))


def cell_levels(column: QuasiColumn, cells: Cells) -> Floats:
    """The level of each distinct cell, at most ``column_height``.

    For a node of a hierarchy: the level that the cell records, else the lowest that has it. Ranges and sets have no
    level: the share of the other values that they cover is used instead, as if the column had two levels, value and
    star.
    """
    if not column.recoding.closes_to_nodes:
        return (cells.sizes - 1) / max(1, column.domain.n_leaves - 1)
    if cells.levels is not None:
        return cells.levels.astype(float)
    return column.recoding.nested.cover(cells.low, cells.high)[2].astype(float)


def column_height(column: QuasiColumn) -> int:
    """The level of the root."""
    return column.recoding.nested.n_levels - 1 if column.recoding.closes_to_nodes else 1


def most_classes(table: Table, levels: Codes) -> Floats:
    """An upper bound for each row of ``levels[node, column]``, and for all nodes above it. O(nodes · columns).

    Classes are combinations of values that occur on these levels, and there are at most as many as distinct rows.
    """
    widths, n_distinct = once(table, "values per level", lambda: (_nodes_per_level(table), table.distinct.firsts.size))
    found = np.ones(levels.shape[0])
    for width, level in zip(widths, levels.T, strict=True):
        found = np.minimum(found * width[level], n_distinct)
    return found


def _nodes_per_level(table: Table) -> tuple[Floats, ...]:
    """Per column, the number of nodes of each level that occur."""
    return tuple(
        np.array([np.unique(low[np.unique(codes)]).size for low in column.recoding.nested.low], np.float64)
        for column, codes in zip(table.quasi, table.codes, strict=True)
    )
