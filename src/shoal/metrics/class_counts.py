"""An upper bound on the number of classes of a lattice node, from its levels alone."""

from __future__ import annotations

import numpy as np

from shoal.core.arrays import Codes, Floats
from shoal.core.node import once
from shoal.core.table import Table


def most_classes(table: Table, levels: Codes) -> Floats:
    """An upper bound for each row of ``levels[node, column]``, and for all nodes above it. O(nodes · columns).

    Classes are combinations of values that occur on these levels, and there are at most as many as distinct rows.
    """
    widths, n_distinct = once(table, "values per level", lambda: (_widths(table), table.distinct.firsts.size))
    found = np.ones(levels.shape[0])
    for width, level in zip(widths, levels.T, strict=True):
        found = np.minimum(found * width[level], n_distinct)
    return found


def _widths(table: Table) -> tuple[Floats, ...]:
    """Per column, the number of nodes of each level that occur."""
    return tuple(
        np.array([np.unique(low[np.unique(codes)]).size for low in column.recoding.nested.low], np.float64)
        for column, codes in zip(table.quasi, table.codes, strict=True)
    )
