"""Build records from groups of rows, and price records."""

from __future__ import annotations

import numpy as np

from shoal.kernels.arrays import Array
from shoal.kernels.concealment_records import Records, cost_of, put_record, put_row, widen
from shoal.kernels.decorators import kernel
from shoal.kernels.tariff import Tariff


@kernel
def costs(tariff: Tariff, records: Records) -> Array:
    """The price of each record. O(records · columns)."""
    found = np.empty(records.low.shape[0], np.int64)
    for j in range(found.size):
        found[j] = cost_of(tariff, records, j)
    return found


@kernel
def enclose(tariff: Tariff, codes: Array, types: Array, offsets: Array, members: Array, records: Records) -> None:
    """Give the rows of each group the smallest cells that contain all of them. O(rows · columns)."""
    for g in range(offsets.size - 1):
        if offsets[g] == offsets[g + 1]:
            continue
        first = members[offsets[g]]
        put_row(tariff, records, first, codes[types[first]])
        for e in range(offsets[g] + 1, offsets[g + 1]):
            widen(tariff, records, first, codes[types[members[e]]])
        for e in range(offsets[g] + 1, offsets[g + 1]):
            put_record(records, members[e], records, first)
