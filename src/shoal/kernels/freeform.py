"""One round of freeform generalization: what it costs to let rows match one more record, and which one each gets."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shoal.kernels.arrays import Array
from shoal.kernels.decorators import kernel
from shoal.kernels.planes import JOINS, PRICES
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
    planes, prices, joins = tariff.planes, tariff.entries[PRICES], tariff.entries[JOINS]
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
            fill_prices(planes, prices, joins, columns, low, high, counts, costs)
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


@kernel
def _lightest(line: Array, holder: Array) -> int:
    """The free record of least weight; ties go to the first; −1 if every edge to a free record has been used."""
    best, found = np.inf, -1
    for j in range(line.size):
        if line[j] < best and holder[j] < 0:
            best, found = line[j], j
    return found


@kernel
def _hand_over(i: int, y: int, weights: Array, record: Array, holder: Array) -> bool:
    """Give row ``i`` the record of row ``y``, and ``y`` the lightest free one, if both edges exist."""
    j = record[y]
    if weights[i, j] == np.inf:
        return False
    other = _lightest(weights[y], holder)
    if other < 0:
        return False
    record[y], record[i] = other, j
    holder[other], holder[j] = y, i
    return True


@kernel
def _augment(i: int, weights: Array, record: Array, holder: Array) -> bool:
    """Find a record for row ``i`` by moving as many rows as necessary: breadth first. O(edges)."""
    n = record.size
    came_from, queue = np.full(n, -1, np.int32), np.full(n, i, np.int32)
    first, last = 0, 1
    while first < last:
        row = queue[first]
        first += 1
        for j in range(n):
            if came_from[j] >= 0 or weights[row, j] == np.inf:
                continue
            came_from[j] = row
            if holder[j] >= 0:
                queue[last] = holder[j]
                last += 1
                continue
            while j >= 0:
                row = came_from[j]
                before = record[row]
                record[row], holder[j] = j, row
                j = before
            return True
    return False


@kernel
def greedy(weights: Array, examined: Array) -> Array:
    """Give each row in order the lightest free record, backtracking if there is none. Algorithm 1 of Doka et al.

    ``weights[row, record]`` is infinite for edges used before. Returns the record of each row. ``examined[i]`` gets the
    number of rows examined before row ``i`` could take over the record of one of them (0 if it did not have to). Rows
    are examined latest first until one is found that has another free record; if there is none, longer exchanges are
    made. O(rows²) without those.
    """
    n = weights.shape[0]
    record, holder = np.full(n, -1, np.int32), np.full(n, -1, np.int32)
    for i in range(n):
        examined[i] = 0
        record[i] = _lightest(weights[i], holder)
        if record[i] >= 0:
            holder[record[i]] = i
            continue
        done = False
        for y in range(i - 1, -1, -1):
            examined[i] += 1
            if _hand_over(i, y, weights, record, holder):
                done = True
                break
        if not done:
            _augment(i, weights, record, holder)
    return record


@kernel
def _sink(heap: Array, at: int, size: int, keys: Array) -> None:
    """Restore the heap of rows below ``at``: lightest first, then by number."""
    row = heap[at]
    while True:
        child = 2 * at + 1
        if child >= size:
            break
        if child + 1 < size:
            one, two = heap[child], heap[child + 1]
            if keys[two] < keys[one] or (keys[two] == keys[one] and two < one):
                child += 1
        below = heap[child]
        if keys[row] < keys[below] or (keys[row] == keys[below] and row < below):
            break
        heap[at] = below
        at = child
    heap[at] = row


@kernel
def by_weight(weights: Array) -> Array:
    """Take edges from light to heavy, each if both its ends are free; return the record of each row.

    Ties are broken by row, then by record. Edges are not sorted: each row offers its lightest edge, and another once
    that record is taken. Rows left over, whose edges to the free records have all been used, make the cheapest single
    exchange. O(rows² + rows · offers), memory O(rows).
    """
    n = weights.shape[0]
    record, holder = np.full(n, -1, np.int32), np.full(n, -1, np.int32)
    offer, heap, keys = np.full(n, -1, np.int32), np.arange(n).astype(np.int32), np.empty(n, np.float32)
    for i in range(n):
        offer[i] = _lightest(weights[i], holder)
        keys[i] = weights[i, offer[i]] if offer[i] >= 0 else np.inf
    for at in range(n // 2 - 1, -1, -1):
        _sink(heap, at, n, keys)
    size = n
    while size > 0:
        i = heap[0]
        if keys[i] == np.inf:
            break
        if holder[offer[i]] < 0:
            holder[offer[i]] = i
            record[i] = offer[i]
            size -= 1
            heap[0] = heap[size]
        else:
            offer[i] = _lightest(weights[i], holder)
            keys[i] = weights[i, offer[i]] if offer[i] >= 0 else np.inf
        if size > 0:
            _sink(heap, 0, size, keys)
    for i in range(n):
        if record[i] < 0 and not _exchange(i, weights, record, holder):
            _augment(i, weights, record, holder)
    return record


@kernel
def _exchange(i: int, weights: Array, record: Array, holder: Array) -> bool:
    """Give row ``i`` the record of the row for which this, plus that row's move to a free record, weighs least."""
    best, giver, target = np.inf, -1, -1
    for y in range(record.size):
        if record[y] < 0 or weights[i, record[y]] == np.inf:
            continue
        for m in range(record.size):
            if holder[m] < 0:
                total = weights[i, record[y]] + weights[y, m] - weights[y, record[y]]
                if total < best:
                    best, giver, target = total, y, m
    if giver < 0:
        return False
    record[i], record[giver] = record[giver], target
    holder[record[i]], holder[target] = i, giver
    return True
