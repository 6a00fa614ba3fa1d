"""Cut an ordered table into runs of rows so that the runs' cells cost least."""

from __future__ import annotations

import numpy as np

from shoal.kernels.arrays import Array
from shoal.kernels.decorators import kernel
from shoal.kernels.planes import JOINS, PRICES
from shoal.kernels.tariff import Tariff, fill_prices


@kernel
def cheapest_runs(codes: Array, shortest: int, longest: int, tariff: Tariff, widest: int) -> Array:
    """Cut rows ``0 … n − 1`` of ``codes[column, row]`` into runs of ``shortest`` to ``longest`` rows at least cost.

    The cost of a run is its length times the cost of its cells. Returns the starts of the runs, ascending. Exact, by
    dynamic programming over ends; O(rows · longest · columns) time, O(rows) memory. There must be a solution: at least
    ``shortest`` rows, and ``longest`` at least ``2 · shortest − 1``.
    """
    n_columns, n = codes.shape
    planes, prices, joins = tariff.planes, tariff.entries[PRICES], tariff.entries[JOINS]
    columns, costs = np.arange(n_columns), np.zeros(n_columns, np.int64)
    best = np.zeros(n + 1)
    start_of = np.zeros(n + 1, np.int64)
    seen = np.zeros((n_columns, widest), np.int64)
    low = np.zeros(n_columns, np.int64)
    high = np.zeros(n_columns, np.int64)
    n_values = np.zeros(n_columns, np.int64)
    for stop in range(1, n + 1):
        best[stop] = np.inf
        low[:], high[:], n_values[:] = widest, 0, 0
        price, is_stale = 0, True
        for start in range(stop - 1, max(-1, stop - longest - 1), -1):
            for c in range(n_columns):
                code = codes[c, start]
                if seen[c, code] != stop:
                    seen[c, code] = stop
                    n_values[c] += 1
                    low[c], high[c] = min(low[c], code), max(high[c], code)
                    is_stale = True
            if stop - start >= shortest and best[start] < np.inf:
                if is_stale:
                    price, is_stale = fill_prices(planes, prices, joins, columns, low, high, n_values, costs), False
                cost = best[start] + float(price) * (stop - start)
                if cost < best[stop]:
                    best[stop] = cost
                    start_of[stop] = start
    n_runs, stop = 0, n
    while stop > 0:
        stop = int(start_of[stop])
        n_runs += 1
    starts = np.zeros(n_runs, np.int64)
    stop = n
    for run in range(n_runs - 1, -1, -1):
        stop = int(start_of[stop])
        starts[run] = stop
    return starts
