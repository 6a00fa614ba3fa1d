"""Orders of the rows of a table in which neighbours are alike."""

from __future__ import annotations

import numpy as np

from shoal.core.arrays import Codes
from shoal.core.groups import Groups
from shoal.core.table import Table
from shoal.kernels.hilbert import curve_positions
from shoal.kernels.rings import part_sorted


def columns_by_size(table: Table) -> list[int]:
    """The quasi-identifiers, those with the fewest occurring values first: a difference there costs most."""
    sizes = [int(column.domain.occurs.sum()) for column in table.quasi]
    return sorted(range(table.n_quasi), key=lambda j: sizes[j])


def lexicographic_order(table: Table) -> Codes:
    """The rows sorted by the column with the fewest values, then by the next; equal rows as in the table.

    O(rows · columns + rows · log rows).
    """
    keys = np.zeros(table.n_rows, np.int64)
    most = 1
    for j in columns_by_size(table):
        n = table.quasi[j].domain.n_leaves
        if most * n >= 2**62:
            keys = np.unique(keys, return_inverse=True)[1].astype(np.int64)
            most = int(keys.max(initial=0)) + 1
        keys = keys * n + table.codes[j]
        most *= n
    return np.argsort(keys, kind="stable").astype(np.int32)


def lexicographic_parts(table: Table, k: int) -> Groups:
    """Parts of at least ``k`` rows: sorted lexicographically, parted value by value, small parts given company.

    Reference: Wong et al. 2010, figure 8. O(rows · (columns + log rows)).
    """
    order = lexicographic_order(table)
    codes = np.ascontiguousarray(table.codes[columns_by_size(table)][:, order])
    return Groups(part_sorted(codes, k), order)


def curve_order(table: Table, *, stretch: bool = True) -> Codes:
    """The rows along a Hilbert curve over the columns' dense ranks; equal rows as in the table.

    With ``stretch`` every column reaches as far as the widest, so that all count alike; without, a column of two values
    hardly bends the curve. O(rows · columns · bits).
    """
    counts = [int(column.domain.occurs.sum()) for column in table.quasi]
    most = max(1, max(counts) - 1)
    ranks = [
        (np.cumsum(column.domain.occurs) - 1)[codes] * (most if stretch else 1) // (max(1, count - 1) if stretch else 1)
        for column, codes, count in zip(table.quasi, table.codes, counts, strict=True)
    ]
    words = curve_positions(np.array(ranks, np.int32), max(1, most.bit_length()))
    return np.lexsort(words[::-1]).astype(np.int32)
