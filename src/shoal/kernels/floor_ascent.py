"""Raise the prices of all rows together, and lower those of any box that has a group priced above its cost."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shoal.kernels.arrays import Array
from shoal.kernels.decorators import inner, kernel
from shoal.kernels.floor_boxes import Boxes

_TRIES = 8


class Ascending(NamedTuple):
    """What an ascent changes: prices of rows, tolls of cuts, and by how much each box's prices were lowered."""

    prices: Array
    tolls: Array
    lowered: Array


class Within(NamedTuple):
    """Box ``b`` is inside the cuts ``cuts[offsets[b]:offsets[b + 1]]``; ``most[c]`` groups fit into cut ``c``."""

    offsets: Array
    cuts: Array
    most: Array


@inner
def _sort(members: Array, start: int, stop: int, prices: Array) -> None:
    """Sort by price, highest first, by insertion because they are nearly sorted."""
    for t in range(start + 1, stop):
        row, at = members[t], t - 1
        while at >= start and prices[members[at]] < prices[row]:
            members[at + 1] = members[at]
            at -= 1
        members[at + 1] = row


@inner
def _dearest(
    members: Array, start: int, stop: int, cost: float, weights: Array, prices: Array, k: int, most: int
) -> tuple[float, int, int]:
    """By how much the dearest group of a box is priced above its cost, its size, and where its last row is.

    The k highest-priced rows and, up to ``most`` rows, those that are priced above the cost.
    """
    over, n, t = 0.0, np.int64(0), start
    while t < stop:
        above = prices[members[t]] - cost
        room = (most if above > 0 else k) - n
        if room <= 0:
            break
        taken = min(weights[members[t]], room)
        over += taken * above
        n += taken
        t += 1
    return over, int(n), t


@inner
def _settle(box: int, boxes: Boxes, within: Within, weights: Array, k: int, now: Ascending) -> float:
    """Lower a box's highest prices and raise its tolls equally until no group pays too little.

    Returns how much each price may then rise, while tolls fall as often as groups fit into their cuts.
    """
    prices, tolls, cost = now.prices, now.tolls, boxes.costs[box]
    start, stop = boxes.offsets[box], boxes.offsets[box + 1]
    first, last = within.offsets[box], within.offsets[box + 1]
    most = 2 * k - 1 if last > first else k
    for turn in range(_TRIES):
        _sort(boxes.members, start, stop, prices)
        over, n, end = _dearest(boxes.members, start, stop, cost, weights, prices, k, most)
        rate = most
        for at in range(first, last):
            over -= tolls[within.cuts[at]]
            rate += within.most[within.cuts[at]]
        if over <= 0:
            return float(-over / rate)
        if turn == _TRIES - 1:
            break
        step = over / (n + last - first)
        for at in range(start, end):
            row = boxes.members[at]
            prices[row] = max(0.0, prices[row] - step)
        for at in range(first, last):
            tolls[within.cuts[at]] += step
        now.lowered[box] += step
    if last > first:
        tolls[within.cuts[first]] += over
    else:
        for at in range(start, stop):
            prices[boxes.members[at]] *= k * cost / (over + k * cost)
    return 0.0


@kernel
def ascend(
    boxes: Boxes,
    within: Within,
    order: Array,
    weights: Array,
    caps: Array,
    now: Ascending,
    k: int,
    raised: float,
    decay: float,
    n_sweeps: int,
) -> Ascending:
    """Raise all prices in shrinking steps, ``raised`` in total, correcting the boxes each time; return the best.

    No price exceeds its cap. The tolls fall in each step as often as groups fit into their cut. A box is checked again
    only when prices have risen by more than its slack, so constraints that do not bind cost nothing. What comes back as
    ``lowered`` is the share to which the linear program uses a box, estimated from how much it was lowered while prices
    rose. Modifies ``now`` and the order of the boxes' members.
    """
    n_boxes, ready, risen, least = order.size, np.full(order.size, -1.0), 0.0, -1.0
    prices, tolls = now.prices, now.tolls
    best, best_tolls = prices.copy(), tolls.copy()
    step, start = raised * (1 - decay) / (1 - decay**n_sweeps), 0
    for _ in range(n_sweeps):
        for row in range(prices.size):
            prices[row] = min(caps[row], prices[row] + step)
        for cut in range(tolls.size):
            tolls[cut] = max(0.0, tolls[cut] - step * within.most[cut])
        risen += step
        step *= decay
        start = (start + n_boxes // 3 + 7) % max(1, n_boxes)
        for z in range(n_boxes):
            box = order[z + start if z + start < n_boxes else z + start - n_boxes]
            if ready[box] < risen:
                ready[box] = risen + _settle(box, boxes, within, weights, k, now)
        total = (prices * weights).sum() - (tolls * within.most).sum()
        if total > least:
            best[:], best_tolls[:], least = prices, tolls, total
    return Ascending(best, best_tolls, now.lowered / max(risen, 1e-300))
