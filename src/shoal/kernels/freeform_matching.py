"""One round of freeform generalization: assign every row one more record, at a small total weight."""

from __future__ import annotations

import numpy as np

from shoal.kernels.arrays import Array
from shoal.kernels.decorators import kernel


@kernel
def _nobody(n: int) -> Array:
    """An array of ``n`` times −1."""
    empty = np.empty(n, np.int32)
    for i in range(n):
        empty[i] = -1
    return empty


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
    came_from, queue = _nobody(n), _nobody(n)
    queue[0] = i
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
    record: Array = _nobody(n)
    holder: Array = _nobody(n)
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
    record: Array = _nobody(n)
    holder: Array = _nobody(n)
    offer, heap = _nobody(n), _nobody(n)
    keys = np.empty(n, np.float32)
    for i in range(n):
        heap[i] = i
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
