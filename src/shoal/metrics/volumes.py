"""How many values the cells of a record allow, column by column; their product is the volume of the record."""

from __future__ import annotations

import numpy as np

from shoal.core.arrays import Floats
from shoal.core.node import Node
from shoal.core.release import Release
from shoal.core.table import QuasiColumn, Table


def shape_widths(release: Release) -> Floats:
    """``[column, shape]`` of a release."""
    return np.array([cells.sizes[cells.ids] for cells in release.cells], np.float64)


def node_widths(node: Node) -> Floats:
    """``[column, class]`` of a node, kept or not."""
    bounds = [node.bounds(j) for j in range(node.table.n_quasi)]
    return np.array([high - low + 1 for low, high in bounds], np.float64)


def whole_widths(table: Table) -> Floats:
    """``[column]`` of a suppressed record."""
    return np.array([column.domain.n_leaves for column in table.quasi], np.float64)


def level_widths(column: QuasiColumn) -> Floats:
    """``[level, leaf]``: of the cell above each leaf on each level."""
    nested = column.recoding.nested
    return (nested.high - nested.low + 1).astype(np.float64)
