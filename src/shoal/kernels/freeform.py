"""The cost of letting one more row match a record, for all rows and records of a block at once."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shoal.kernels.arrays import Array
from shoal.kernels.decorators import kernel
from shoal.kernels.tariff import Tariff, fill_prices


class Block(NamedTuple):
    """Rows, and as many records, each starting with one row.

    ``codes[c, i]`` are the codes of row ``i``. The values of column ``c`` in the block are
    ``values[starts[c]:starts[c + 1]]``, and ``entries[c, i]`` is the place of row ``i``'s value there. Record ``j`` has
    cells from ``low[c, j]`` to ``high[c, j]`` with ``counts[c, j]`` values; ``inside[place, j]`` says which.
    """

    codes: Array
    values: Array
    starts: Array
    entries: Array
    low: Array
    high: Array
    counts: Array
    inside: Array


@kernel
def price_joins(block: Block, tariff: Tariff, rises: Array) -> None:
    """Compute ``rises[place, j]``, the added cost of record ``j`` with the value at ``place``. O(values · records)."""
    for c in range(block.codes.shape[0]):
        first, last = block.starts[c], block.starts[c + 1]
        n = last - first + 1  # the record as it is, and with each value added
        columns, low, high = np.full(n, c), np.empty(n, np.int64), np.empty(n, np.int64)
        counts, costs = np.empty(n, np.int64), np.empty(n, np.int64)
        for j in range(block.low.shape[1]):
            lowest, highest, count = block.low[c, j], block.high[c, j], block.counts[c, j]
            low[n - 1], high[n - 1], counts[n - 1] = lowest, highest, count
            for i in range(n - 1):
                value = block.values[first + i]
                low[i], high[i] = min(lowest, value), max(highest, value)
                counts[i] = count + (not block.inside[first + i, j])
            fill_prices(tariff.planes, tariff.entries, columns, low, high, counts, costs)
            for i in range(n - 1):
                is_inside = block.inside[first + i, j]
                rises[first + i, j] = 0 if is_inside else max(0, costs[i] - costs[n - 1])


@kernel
def weigh(entries: Array, rises: Array, edges: Array, n_used: int, weights: Array) -> None:
    """Compute ``weights[i, j]``: the rise in cost if row ``i`` matches record ``j``; infinite if it does already.

    The first ``n_used`` of ``edges[i]`` are the records it matches. O(rows · records · columns).
    """
    n_columns, n = entries.shape
    for i in range(n):
        for j in range(n):
            weights[i, j] = rises[entries[0, i], j]
        for c in range(1, n_columns):
            place = entries[c, i]
            for j in range(n):
                weights[i, j] += rises[place, j]
        for t in range(n_used):
            weights[i, edges[i, t]] = np.inf


@kernel
def let_in(block: Block, records: Array) -> None:
    """Make row ``i`` match record ``records[i]`` from now on. O(rows · columns)."""
    for c in range(block.codes.shape[0]):
        for i in range(records.size):
            j, code = records[i], block.codes[c, i]
            block.low[c, j] = min(block.low[c, j], code)
            block.high[c, j] = max(block.high[c, j], code)
            if not block.inside[block.entries[c, i], j]:
                block.inside[block.entries[c, i], j] = True
                block.counts[c, j] += 1
