"""Cells shared by several records: assign rows to boxes so that each box has enough users and the total cost is low."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shoal.kernels.arrays import Array
from shoal.kernels.concealment_records import Records, cost_of, cost_with, join, one_record, put_record, widen
from shoal.kernels.decorators import inner, kernel
from shoal.kernels.tariff import Tariff

_MOST = np.iinfo(np.int64).max // 4


class Offers(NamedTuple):
    """Box ``b`` costs ``costs[b]`` and holds the types ``inside[starts[b] : starts[b + 1]]``.

    Type ``t`` has the rows ``rows[rows_at[t] : rows_at[t + 1]]``.
    """

    costs: Array
    starts: Array
    inside: Array
    rows_at: Array
    rows: Array


@kernel
def move_in(order: Array, starts: Array, inside: Array, free: Array, users: int, homes: Array) -> int:
    """Visit boxes in order; if ``users`` free rows lie inside one, all of them take it. Return the number taken.

    ``free[t]`` rows of type ``t`` have no box yet; ``homes[t]`` is the box they take. O(entries).
    """
    n_taken = 0
    for b in order:
        total = 0
        for e in range(starts[b], starts[b + 1]):
            total += free[inside[e]]
        if total < users:
            continue
        n_taken += 1
        for e in range(starts[b], starts[b + 1]):
            if free[inside[e]] > 0:
                homes[inside[e]], free[inside[e]] = b, 0
    return n_taken


@inner
def _who_else(offers: Offers, homes: Array, b: int, rows: Array, rises: Array) -> int:
    """List the rows inside a box that use another one, and how much more each would pay here; return how many."""
    n = 0
    for e in range(offers.starts[b], offers.starts[b + 1]):
        t = offers.inside[e]
        for at in range(offers.rows_at[t], offers.rows_at[t + 1]):
            row = offers.rows[at]
            if homes[row] != b:
                rows[n], rises[n] = row, offers.costs[b] - offers.costs[homes[row]]
                n += 1
    return n


@kernel
def pull(order: Array, users: int, offers: Offers, homes: Array, loads: Array) -> int:
    """Visit boxes in order and move rows inside them there if that saves in total; return the saving.

    Rows only leave boxes that keep ``users`` others. A box with too few users is filled up with rows that pay a little
    more, if the others save more than that. O(entries · log) a visit.
    """
    rows, rises = np.empty(homes.size, np.int64), np.empty(homes.size, np.int64)
    saved = 0
    for b in order:
        n = _who_else(offers, homes, b, rows, rises)
        if loads[b] + n < users or n == 0 or rises[:n].min() >= 0:
            continue
        total, n_moved, need = 0, 0, max(0, users - loads[b])
        moved = np.empty(n, np.int64)
        for at in np.argsort(rises[:n]):
            if rises[at] >= 0 and n_moved >= need:
                break
            home = homes[rows[at]]
            if loads[home] > users:
                loads[home] -= 1
                total += rises[at]
                moved[n_moved] = rows[at]
                n_moved += 1
        if n_moved >= need and total < 0:
            saved -= total
            loads[b] += n_moved
            homes[moved[:n_moved]] = b
        else:
            for row in moved[:n_moved]:
                loads[homes[row]] += 1
    return saved


@kernel
def weld(rows: Array, boxes: Array, parts: Array, box_parts: Array, is_bad: Array, users: int, homes: Array,
         loads: Array) -> int:  # fmt: skip
    """Move rows, in the order given, to boxes that lie in another component; return how many moved.

    Each bad component takes part at most once. ``parts[row]`` and ``box_parts[box]`` are the components before any
    move.
    """
    is_open, n = is_bad.copy(), 0
    for e in range(rows.size):
        row, box = rows[e], boxes[e]
        one, other = parts[row], box_parts[box]
        if (is_open[one] or is_open[other]) and loads[homes[row]] > users and homes[row] != box:
            loads[homes[row]] -= 1
            homes[row] = box
            loads[box] += 1
            is_open[one] = is_open[other] = False
            n += 1
    return n


@kernel
def partner(tariff: Tariff, boxes: Records, loads: Array, b: int, joined: Records) -> int:
    """The box in use that is cheapest to merge with box ``b``, counting all users of both; −1 if there is none.

    ``joined`` is overwritten with the merged box. O(boxes · columns).
    """
    both, least, who = one_record(boxes), _MOST, -1
    own = cost_of(tariff, boxes, b)
    for other in range(loads.size):
        if loads[other] == 0 or other == b:
            continue
        put_record(both, 0, boxes, b)
        join(tariff, both, 0, boxes, other)
        price = cost_of(tariff, both, 0)
        rise = loads[b] * (price - own) + loads[other] * (price - cost_of(tariff, boxes, other))
        if rise < least:
            least, who = rise, other
            put_record(joined, 0, both, 0)
    return int(who)


@inner
def _takers(offers: Offers, homes: Array, b: int, types: Array) -> int:
    """List the distinct types of the rows that use box ``b``; return how many."""
    n = 0
    for e in range(offers.starts[b], offers.starts[b + 1]):
        t = offers.inside[e]
        for at in range(offers.rows_at[t], offers.rows_at[t + 1]):
            if homes[offers.rows[at]] == b:
                types[n] = t
                n += 1
                break
    return n


@inner
def _way_back(
    tariff: Tariff, codes: Array, boxes: Records, offers: Offers, around: Array, around_at: Array, homes: Array,
    loads: Array, box_parts: Array, b: int, takers: Array, n_takers: int, some: Array
) -> tuple[int, int]:  # fmt: skip
    """The type of an owner of a record that a taker of ``b`` fits, the cheapest to add to ``b``, and the rise."""
    least, who, own = _MOST, -1, cost_of(tariff, boxes, b)
    for i in range(n_takers):
        t = takers[i]
        for e in range(around_at[t], around_at[t + 1]):
            other = around[e]
            if loads[other] == 0 or box_parts[other] == box_parts[b]:
                continue
            for at in range(_takers(offers, homes, other, some)):
                rise = loads[b] * (cost_with(tariff, boxes, b, codes[some[at]], own + least) - own)
                if rise < least:
                    least, who = rise, some[at]
    return who, least


@inner
def _way_in(
    tariff: Tariff, codes: Array, boxes: Records, offers: Offers, homes: Array, loads: Array, box_parts: Array, b: int,
    takers: Array, n_takers: int
) -> tuple[int, int, int]:  # fmt: skip
    """The box of a row inside ``b`` that is cheapest to widen for a taker of ``b``, that taker's type, and the rise."""
    least, where, who = _MOST, -1, -1
    for e in range(offers.starts[b], offers.starts[b + 1]):
        t = offers.inside[e]
        for at in range(offers.rows_at[t], offers.rows_at[t + 1]):
            other = homes[offers.rows[at]]
            if box_parts[other] == box_parts[b]:
                continue
            own = cost_of(tariff, boxes, other)
            for i in range(n_takers):
                rise = loads[other] * (cost_with(tariff, boxes, other, codes[takers[i]], own + least) - own)
                if rise < least:
                    least, where, who = rise, other, takers[i]
    return where, who, least


@kernel
def close_cycles(
    tariff: Tariff, codes: Array, boxes: Records, offers: Offers, around_at: Array, around: Array, homes: Array,
    loads: Array, box_parts: Array, lacking: Array
) -> int:  # fmt: skip
    """For each lacking box, widen the cheapest box that joins its component with a neighbour's; return how many.

    If a taker of the box fits a record of another component, the box is widened to hold an owner there. Or, if the box
    holds a row of another component, that row's box is widened to hold a taker. Each component takes part at most once.
    """
    takers, some = np.empty(codes.shape[0], np.int64), np.empty(codes.shape[0], np.int64)
    is_done, n = np.zeros(box_parts.max() + 1, np.bool_), 0
    for b in lacking:
        if is_done[box_parts[b]]:
            continue
        n_takers = _takers(offers, homes, b, takers)
        back, rise = _way_back(
            tariff, codes, boxes, offers, around, around_at, homes, loads, box_parts, b, takers, n_takers, some
        )  # fmt: skip
        where, who, other_rise = _way_in(
            tariff, codes, boxes, offers, homes, loads, box_parts, b, takers, n_takers
        )  # fmt: skip
        if where >= 0 and other_rise < rise:
            widen(tariff, boxes, where, codes[who])
            is_done[box_parts[where]] = True
        elif back >= 0:
            widen(tariff, boxes, b, codes[back])
        else:
            continue
        is_done[box_parts[b]] = True
        n += 1
    return n
