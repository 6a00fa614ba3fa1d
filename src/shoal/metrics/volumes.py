"""How many combinations of values the cells of a record allow, as logarithms to base 2."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from shoal.core.arrays import Floats
from shoal.core.node import Node
from shoal.core.release import Release
from shoal.core.table import QuasiColumn, Table


def record_volumes(release: Release) -> Floats:
    """Of each record. O(records · columns)."""
    total = np.zeros(release.n_records)
    for cells in release.cells:
        total += np.log2(cells.sizes)[cells.ids[release.shapes]]
    return total


def node_volumes(node: Node) -> Floats:
    """Of each class of a node. O(classes · columns)."""
    total = np.zeros(node.sizes.size)
    for j in range(node.table.n_quasi):
        low, high = node.bounds(j)
        total += np.log2(high - low + 1)
    return total


def whole_volume(table: Table) -> float:
    """Of a suppressed record."""
    return float(sum(np.log2(column.domain.n_leaves) for column in table.quasi))


def level_volumes(column: QuasiColumn) -> Floats:
    """``[level, leaf]``: of the cell above each leaf on each level."""
    nested = column.recoding.nested
    volumes: Floats = np.log2(nested.high - nested.low + 1)
    return volumes


def mean_volumes(table: Table, volumes: Callable[[QuasiColumn], Floats]) -> tuple[Floats, ...]:
    """Per column the mean over rows on each level."""
    columns = zip(table.quasi, table.codes, strict=True)
    return tuple(volumes(c) @ np.bincount(codes, minlength=c.domain.n_leaves) / table.n_rows for c, codes in columns)
