"""Where rings are closed, besides the parts of a sorted table: stretches of a curve, and classes."""

from __future__ import annotations

import numpy as np

from shoal.core.arrays import Codes
from shoal.core.groups import Groups
from shoal.core.orders import curve_order, lexicographic_order
from shoal.core.table import Table
from shoal.kernels.grouping import members_of

_LONGEST_RING = 2000
"""Rings along a curve are closed after this many rows: the draw stays fast, and few records lie across the seam."""


def along_curve(table: Table, k: int) -> Groups:
    """Rows in the order of a Hilbert curve, in stretches of equal length."""
    n_parts = max(1, table.n_rows // max(_LONGEST_RING, 2 * k))
    bounds = np.linspace(0, table.n_rows, n_parts + 1).astype(np.int64)
    return Groups(bounds, curve_order(table))


def sorted_inside(table: Table, classes: Groups) -> Groups:
    """The same groups, the rows of each in lexicographic order."""
    order: Codes = lexicographic_order(table)
    offsets, members = members_of(classes.ids(table.n_rows)[order], len(classes))
    return Groups(offsets, order[members])
