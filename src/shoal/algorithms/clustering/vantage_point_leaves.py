"""Split many cells at random into leaves of similar ones: the leaves of a vantage-point tree."""

from __future__ import annotations

import numpy as np

from shoal.core.arrays import Whole
from shoal.core.randomness import Randomness
from shoal.kernels.clustering_space import Space, scan

_LEAST, _MOST = 0.3, 0.7

_HALF, _BITS = 32, 63
"""Prices and numbers are sorted together, as the halves of one integer, which is faster than a stable ``argsort``."""


def leaves(space: Space, cells: Whole, most: int, randomness: Randomness) -> list[Whole]:
    """Cell numbers, in lists of at most ``most``.

    Repeatedly separates the cells that are cheap to join with a random one from the expensive ones, at the largest gap
    in prices that leaves 30% on either side, so that neighbours mostly stay together; each call draws different
    borders. O(n log n · planes).
    """
    done: list[Whole] = []
    waiting = [sorted_cells(cells)]
    while waiting:
        some = waiting.pop()
        if some.size <= most:
            done.append(some)
            continue
        pivot = int(randomness.integers(some.size, 1)[0])
        _, order, cut = largest_gap(space, np.ascontiguousarray(cells[:, some]), pivot)
        waiting += [some[np.sort(order[:cut])], some[np.sort(order[cut:])]]
    return done


def sorted_cells(cells: Whole) -> Whole:
    """The cells' numbers, sorted by plane; as one number per cell if that has room for all planes, which is faster."""
    widths = [int(plane.max()).bit_length() for plane in cells]
    if sum(widths) >= _BITS or cells.min() < 0:
        return np.lexsort(cells[::-1])
    keys = np.zeros(cells.shape[1], np.int64)
    for plane, width in zip(cells, widths, strict=True):
        keys = keys << width | plane
    return np.argsort(keys, kind="stable")


def largest_gap(space: Space, cells: Whole, pivot: int) -> tuple[int, Whole, int]:
    """The largest gap in the prices of joins with the pivot; the cells by price; how many come before the gap."""
    n = cells.shape[1]
    prices = np.empty(n, np.int32)
    scan(space, cells.shape[0], cells, 0, n, cells, pivot, prices)
    keys = prices.astype(np.int64) << _HALF | np.arange(n)
    keys.sort()
    first, last = max(1, int(_LEAST * n)), min(n - 1, int(_MOST * n))
    gaps = np.diff(keys[first - 1 : last + 1] >> _HALF)
    largest = np.flatnonzero(gaps == gaps.max())
    best = largest[np.argmin(np.abs(largest + first - n // 2))]
    return int(gaps[best]), keys & (1 << _HALF) - 1, int(first + best)
