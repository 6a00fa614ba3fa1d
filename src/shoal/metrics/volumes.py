"""The number of values that a record's cells allow in each column; their product is the volume of the record."""

from __future__ import annotations

import numpy as np

from shoal.core.arrays import Floats
from shoal.core.node import Node
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
