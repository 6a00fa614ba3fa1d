"""Split many cells at random into leaves of similar ones: the leaves of a vantage-point tree."""

from __future__ import annotations

import numpy as np

from shoal.core.arrays import Whole
from shoal.core.randomness import Randomness
from shoal.kernels.clustering_space import Space, scan

_LEAST, _MOST = 0.3, 0.7


def leaves(space: Space, cells: Whole, most: int, randomness: Randomness, n_pivots: int = 1) -> list[Whole]:
    """Cell numbers, in lists of at most ``most``.

    Repeatedly separates the cells that are cheap to join with a random one from the expensive ones, at the largest gap
    in prices that leaves 30% on either side, so that neighbours mostly stay together; each call draws different
    borders. With several pivots, the one with the largest gap is used. O(n log n · planes · pivots).
    """
    done: list[Whole] = []
    waiting = [np.lexsort(cells[::-1])]
    while waiting:
        some = waiting.pop()
        if some.size <= most:
            done.append(some)
            continue
        here = np.ascontiguousarray(cells[:, some])
        pivots = randomness.integers(some.size, n_pivots).astype(np.int64)
        _, order, cut = max((_cut(space, here, int(pivot)) for pivot in pivots), key=lambda found: found[0])
        waiting += [some[np.sort(order[:cut])], some[np.sort(order[cut:])]]
    return done


def _cut(space: Space, cells: Whole, pivot: int) -> tuple[int, Whole, int]:
    """The largest gap in the prices of joins with the pivot; the cells by price; how many come before the gap."""
    n = cells.shape[1]
    prices = np.empty(n, np.int32)
    scan(space, cells.shape[0], cells, 0, n, cells, pivot, prices)
    order = np.argsort(prices, kind="stable")
    first, last = max(1, int(_LEAST * n)), min(n - 1, int(_MOST * n))
    gaps = np.diff(prices[order])[first - 1 : last]
    middle = np.argsort(np.abs(np.arange(first, last + 1) - n // 2), kind="stable")
    best = middle[np.argmax(gaps[middle])]
    return int(gaps[best]), order, int(first + best)
