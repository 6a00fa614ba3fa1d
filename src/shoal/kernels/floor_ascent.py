"""Raise the prices of all rows together, and lower those of any box whose k highest prices exceed its cost."""

from __future__ import annotations

import numpy as np

from shoal.kernels.arrays import Array
from shoal.kernels.decorators import inner, kernel
from shoal.kernels.floor_boxes import Boxes

_TRIES = 8


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
def _settle(members: Array, start: int, stop: int, most: float, weights: Array, prices: Array, k: int) -> float:
    """Lower the highest prices equally until the k highest add up to ``most``; return how much each may then rise."""
    for turn in range(_TRIES):
        _sort(members, start, stop, prices)
        total, n, t = 0.0, np.int64(0), start
        while t < stop and n < k:
            taken = min(weights[members[t]], k - n)
            total += taken * prices[members[t]]
            n += taken
            t += 1
        if total <= most:
            return (most - total) / k
        for at in range(start, stop if turn == _TRIES - 1 else t):
            row = members[at]
            if turn == _TRIES - 1:
                prices[row] *= most / total
            else:
                prices[row] = max(0.0, prices[row] - (total - most) / n)
    return 0.0


@kernel
def ascend(
    boxes: Boxes,
    order: Array,
    weights: Array,
    caps: Array,
    prices: Array,
    k: int,
    raised: float,
    decay: float,
    n_sweeps: int,
) -> Array:
    """Raise all prices in shrinking steps, ``raised`` in total, correcting the boxes each time; return the best prices.

    No price exceeds its cap. A box is checked again only when prices have risen by more than its slack, so constraints
    that do not bind cost nothing. Modifies ``prices`` and the order of the boxes' members.
    """
    n_boxes, ready, risen, best, least = order.size, np.full(order.size, -1.0), 0.0, prices.copy(), -1.0
    step, start = raised * (1 - decay) / (1 - decay**n_sweeps), 0
    for _ in range(n_sweeps):
        for row in range(prices.size):
            prices[row] = min(caps[row], prices[row] + step)
        risen += step
        step *= decay
        start = (start + n_boxes // 3 + 7) % max(1, n_boxes)
        for z in range(n_boxes):
            box = order[z + start if z + start < n_boxes else z + start - n_boxes]
            if ready[box] < risen:
                first, last, most = boxes.offsets[box], boxes.offsets[box + 1], k * boxes.costs[box]
                ready[box] = risen + _settle(boxes.members, first, last, most, weights, prices, k)
        total = (prices * weights).sum()
        if total > least:
            best[:], least = prices, total
    return best
