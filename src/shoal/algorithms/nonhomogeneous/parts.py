"""Where rings are closed: stretches of a sorted table, of a curve, or the classes of another algorithm."""

from __future__ import annotations

import numpy as np

from shoal.core.arrays import Codes
from shoal.core.groups import Groups
from shoal.core.orders import columns_by_size, curve_order, lexicographic_order
from shoal.core.table import Table
from shoal.kernels.grouping import members_of
from shoal.kernels.rings import lexicographic_parts

_LONGEST_RING = 2000
"""Rings along a curve are closed after this many rows: the draw stays fast, and few records lie across the seam."""


def lexicographic(table: Table, k: int) -> Groups:
    """Rows sorted by the columns with the fewest values first, parted value by value, small parts with company.

    Reference: Wong et al. 2010, figure 8. O(rows · (columns + log rows)).
    """
    order = lexicographic_order(table)
    codes = np.ascontiguousarray(table.codes[columns_by_size(table)][:, order])
    return Groups(lexicographic_parts(codes, k), order)


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
