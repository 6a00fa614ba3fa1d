"""Grow cells around each row, adding the cheapest row next, until they hold k rows; and randomize them."""

from __future__ import annotations

import numpy as np

from shoal.kernels.arrays import Array
from shoal.kernels.concealment_query import (
    PATH,
    Field,
    Reach,
    cheapest_row,
    look_around,
    price_with,
    push_children,
    room_to_reach,
    rows_inside,
)
from shoal.kernels.concealment_records import Records, are_equal, one_record, put_record, put_row, widen
from shoal.kernels.decorators import inner, kernel
from shoal.kernels.fitting import Tree
from shoal.kernels.tariff import Tariff

_MOST = np.iinfo(np.int64).max


@inner
def _n_inside(tree: Tree, tariff: Tariff, people: Array, records: Records, j: int, some: Array) -> int:
    """How many rows record ``j`` holds."""
    total = 0
    for e in range(rows_inside(tree, tariff, records, j, some)):
        total += people[some[e]]
    return total


@kernel
def grow_records(
    tree: Tree, tariff: Tariff, people: Array, names: Array, k: int, records: Records, first: int, last: int
) -> None:
    """Widen records ``first … last − 1`` until each holds k rows, adding the cheapest row first.

    O(k · nodes searched) a record.
    """
    some, reach = np.empty(tree.codes.shape[0], np.int32), room_to_reach(tariff)
    for j in range(first, last):
        while _n_inside(tree, tariff, people, records, j, some) < k:
            row, _ = cheapest_row(tree, names, tariff, records, j, reach, _MOST)
            widen(tariff, records, j, tree.codes[row])


@kernel
def put_rows(tree: Tree, tariff: Tariff, records: Records) -> None:
    """Set the cells of record ``t`` to exactly row ``t``, for all rows."""
    for t in range(tree.codes.shape[0]):
        put_row(tariff, records, t, tree.codes[t])


@inner
def _nearest(field: Field, records: Records, j: int, reach: Reach, q: int, near: Array, far: Array) -> int:
    """List in ``near`` the types cheapest to add to record ``j`` until they have ``q`` rows; return how many types.

    ``far`` gets their prices. Sorted by price, then by name.
    """
    tree, people, names = field.tree, field.people, field.names
    look_around(field.tariff, records, j, reach)
    stack, least, n, total, depth = np.empty(PATH, np.int32), np.empty(PATH, np.int64), 0, 0, 1
    stack[0], least[0] = 0, 0
    while depth:
        depth -= 1
        most = far[n - 1] if total >= q else _MOST
        if least[depth] > most:
            continue
        v = stack[depth]
        if tree.rights[v] >= 0:
            depth = push_children(tree, v, reach, most, stack, least, depth)
            continue
        for p in range(tree.starts[v], tree.stops[v]):
            most = far[n - 1] if total >= q else _MOST
            price = price_with(reach.cells, reach.prices, reach.spans, tree.codes, p)
            if price > most or (price == most and names[p] > names[near[n - 1]]):
                continue
            at = n
            while at > 0 and (far[at - 1] > price or (far[at - 1] == price and names[near[at - 1]] > names[p])):
                near[at], far[at] = near[at - 1], far[at - 1]
                at -= 1
            near[at], far[at] = p, price
            n += 1
            total += people[p]
            while total - people[near[n - 1]] >= q:
                n -= 1
                total -= people[near[n]]
    return n


@inner
def _draw(near: Array, people: Array, own: int, q: int, k: int, words: Array, slots: Array) -> None:
    """Draw k − 1 of the q nearest rows, not counting one row of type ``own``; write their types to ``slots``."""
    n, e, used = 0, 0, 0
    while n < q:
        if used == people[near[e]] - (near[e] == own):
            e, used = e + 1, 0
            continue
        slots[n] = near[e]
        n, used = n + 1, used + 1
    for i in range(k - 1):
        other = i + np.int64(words[i] % np.uint64(q - i))
        slots[i], slots[other] = slots[other], slots[i]


@kernel
def blur(field: Field, q: int, k: int, records: Records, start: Records, first: int, words: Array) -> None:
    """For some records, toss a coin between their current cells and the closure of k − 1 of their q nearest rows.

    ``words[i]`` are the random words of record ``first + i``: the coin, and k − 1 for each attempt to find other cells.
    ``start[t]`` holds exactly row ``t``. If all attempts give the current cells, these are widened by the cheapest row.
    """
    tree, tariff, people, names = field.tree, field.tariff, field.people, field.names
    n_types, n_tries = tree.codes.shape[0], (words.shape[1] - 1) // (k - 1)
    near, far, slots = np.empty(n_types + 1, np.int64), np.empty(n_types + 1, np.int64), np.empty(q, np.int64)
    other, reach = one_record(start), room_to_reach(tariff)
    for i in range(words.shape[0]):
        j = first + i
        if words[i, 0] >> np.uint64(63) == 0:
            continue
        t = field.types[j]
        _nearest(field, start, t, reach, q + 1, near, far)
        differs = False
        for turn in range(n_tries):
            at = 1 + turn * (k - 1)
            _draw(near, people, t, q, k, words[i, at : at + k - 1], slots)
            put_record(other, 0, start, t)
            for e in range(k - 1):
                widen(tariff, other, 0, tree.codes[slots[e]])
            if not are_equal(other, 0, records, j):
                differs = True
                break
        if not differs:
            put_record(other, 0, records, j)
            row, _ = cheapest_row(tree, names, tariff, other, 0, reach, _MOST)
            if row >= 0:
                widen(tariff, other, 0, tree.codes[row])
        put_record(records, j, other, 0)
