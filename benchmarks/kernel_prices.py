"""Clustering's prices laid out as the other families have them: how much slower the same scan is.

``kernels/clustering_space.py`` has a cell of a column as one number, fuses small columns, and keeps the price of a join
where it is looked up; ``kernels/tariff.py`` has a cell as its two ends and a node. Here both price the joins of the
same clusters with the same rows, and are held to the same answers:

    SHOAL_DATA=... python benchmarks/kernel_prices.py

The clusters are pairs of rows, sets have at most 63 values. The least of nine timings counts, and the two take turns.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numba
import numpy as np

import tables
from shoal.algorithms.clustering.coded_rows import UNIT, Coding
from shoal.core.arrays import Whole
from shoal.core.table import Table
from shoal.core.tariff import UNIT as TARIFF_UNIT
from shoal.core.tariff import tariff_of
from shoal.kernels.clustering_space import closures, popcount, scan
from shoal.kernels.tariff import HIGH, KIND, LOW, MEETS, NODES, PARENT, PRICES, SETS, TABLE, TOP, TREE, WIDTH, Tariff
from shoal.metrics import LM

NAMES = ("adult", "mach", "coil", "adult sets")
N_CLUSTERS = 50


@numba.njit
def scan_by_tariff(tariff: Tariff, codes: Whole, bits: Whole, low: Whole, high: Whole, sets: Whole, out: Whole) -> None:
    """The prices of the joins of one cluster with every row, a column at a time, its kind asked once.

    The cluster has ``low`` and ``high`` in each column, and of a set of up to 63 values its bits; ``codes`` and
    ``bits`` are those of the rows.
    """
    told, prices, n = tariff.columns, tariff.prices[0], codes.shape[1]
    out[:] = 0
    for c in range(codes.shape[0]):
        at, width, column = told[PRICES, c], told[WIDTH, c], codes[c]
        if told[KIND, c] == TREE:
            table, start = told[MEETS, c], told[NODES, c]
            node = low[c]
            while high[c] > tariff.nodes[HIGH, start + node] or low[c] < tariff.nodes[LOW, start + node]:
                node = tariff.nodes[PARENT, start + node]
            meets = tariff.meets[table + node * width : table + (node + 1) * width]
            for j in range(n):
                out[j] += prices[at + meets[column[j]]]
        elif told[KIND, c] == SETS:
            for j in range(n):
                out[j] += prices[at + popcount(sets[c] | bits[c, j])]
        elif told[KIND, c] == TABLE:
            for j in range(n):
                out[j] += prices[at + min(low[c], column[j]) * width + max(high[c], column[j])]
        else:
            for j in range(n):
                first, last = min(low[c], column[j]), max(high[c], column[j])
                if first < last:
                    out[j] += prices[at + last] - (0 if last == told[TOP, c] else prices[at + first])


def main() -> None:
    """Print a line per table: seconds for each, and how many times as long the tariff takes."""
    print(f"{'table':12} {'rows':>7} {'columns':>7} {'planes':>6} {'space ms':>9} {'tariff ms':>9} {'ratio':>6}")
    for name in NAMES:
        table = tables.TABLES[name]()
        ours, theirs, n_planes, n_rows = contest(table)
        columns = len(table.quasi)
        print(f"{name:12} {n_rows:7,} {columns:7} {n_planes:6} {ours:9.2f} {theirs:9.2f} {theirs / ours:6.2f}")


def contest(table: Table) -> tuple[float, float, int, int]:
    """Milliseconds of the two for all clusters, planes, and different rows.

    Raises:
        AssertionError: the two do not say the same.
    """
    coding, tariff = Coding.of(table, LM()), tariff_of(table, LM())
    codes = np.ascontiguousarray(table.codes[:, table.distinct.firsts].astype(np.int64))
    n = codes.shape[1]
    pairs = np.random.default_rng(1).integers(0, n, (N_CLUSTERS, 2))
    closed, _ = closures(coding.space, coding.cells, np.arange(0, pairs.size + 1, 2), pairs.ravel())
    has_sets = tariff.columns[KIND, :-1] == SETS
    bits = np.where(has_sets[:, None], 1 << np.minimum(codes, 62), 0)
    low, high = codes[:, pairs].min(axis=2), codes[:, pairs].max(axis=2)
    sets = np.bitwise_or(bits[:, pairs[:, 0]], bits[:, pairs[:, 1]])
    one, other = np.empty((N_CLUSTERS, n), np.int64), np.empty((N_CLUSTERS, n), np.int64)

    def by_space() -> None:
        for q in range(N_CLUSTERS):
            scan(coding.space, coding.cells.shape[0], coding.cells, 0, n, closed, q, one[q])

    def by_tariff() -> None:
        for q in range(N_CLUSTERS):
            scan_by_tariff(tariff, codes, bits, low[:, q], high[:, q], sets[:, q], other[q])

    by_space()
    by_tariff()
    apart = np.abs(one / UNIT - other / TARIFF_UNIT).max()
    assert apart < 1e-6, f"the two differ by {apart}"
    turns = [(_seconds(by_space), _seconds(by_tariff)) for _ in range(9)]
    ours, theirs = (1000 * min(turn[i] for turn in turns) for i in (0, 1))
    return ours, theirs, coding.cells.shape[0], n


def _seconds(work: Callable[[], None]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


if __name__ == "__main__":
    main()
