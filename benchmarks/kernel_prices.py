"""How long the kernels take that ask for prices most: clustering, runs along a curve, freeform, and concealment.

All have their prices in one layout (``kernels/planes.py``): clustering fuses small columns into one plane, the others
have a plane per column and the ends of cells beside it.

    SHOAL_DATA=... python benchmarks/kernel_prices.py [TABLE …]

CPU milliseconds on one thread, the least of nine (three for the slower ones), kernels compiled. To compare two states
of the code, run it in both, by turns.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from time import process_time

import numpy as np

import tables
from shoal.algorithms.clustering.coded_rows import Coding
from shoal.algorithms.concealment.bicycles import concealed
from shoal.algorithms.concealment.draft_release import empty
from shoal.algorithms.concealment.expansion import greedy
from shoal.algorithms.concealment.match_repair import repaired
from shoal.algorithms.concealment.requirements import Needs
from shoal.algorithms.concealment.row_tree import RowTree
from shoal.algorithms.concealment.shrinking import shrunk
from shoal.algorithms.freeform.rounds import block_of
from shoal.core.table import Table
from shoal.core.tariff import tariff_of
from shoal.kernels.clustering_space import closures, scan
from shoal.kernels.concealment_query import list_inside
from shoal.kernels.expansion_greedy import grow_records, put_rows
from shoal.kernels.freeform import let_in, price_joins
from shoal.kernels.runs import cheapest_runs
from shoal.metrics import LM

NAMES = ("adult", "mach", "coil", "adult sets")
K = 10

Work = Callable[[], object]


def main(names: list[str]) -> None:
    """Print a line per table and kernel."""
    print(f"{'table':12} {'kernel':28} {'ms':>9}")
    for name in names or NAMES:
        table = tables.TABLES[name]()
        for what, times, work in cases(table):
            print(f"{name:12} {what:28} {1000 * least(times, work):9.2f}", flush=True)


def least(times: int, work: Work) -> float:
    """The least CPU seconds of several calls, after one that may compile."""
    work()
    found = []
    for _ in range(times):
        start = process_time()
        work()
        found.append(process_time() - start)
    return min(found)


def cases(table: Table) -> Iterator[tuple[str, int, Work]]:
    """What is timed, how often, and the work."""
    yield from clustering(table)
    yield from ordered(table)
    yield from of_concealment(table)


def clustering(table: Table) -> Iterator[tuple[str, int, Work]]:
    """Joins of 50 clusters with all rows, and cells around groups of ten."""
    coding = Coding.of(table, LM())
    n_planes, n = coding.cells.shape
    pairs = np.random.default_rng(1).integers(0, n, 100)
    closed, _ = closures(coding.space, coding.cells, np.arange(0, 101, 2), pairs)
    out = np.empty(n, np.int64)

    def scans() -> None:
        for query in range(50):
            scan(coding.space, n_planes, coding.cells, 0, n, closed, query, out)

    rows = np.random.default_rng(2).permutation(n)[: n // 10 * 10]
    yield "clustering: scans", 9, scans
    yield "clustering: closures", 9, lambda: closures(coding.space, coding.cells, np.arange(0, rows.size + 1, 10), rows)


def ordered(table: Table) -> Iterator[tuple[str, int, Work]]:
    """Runs of rows in order, and what a block of 500 rows would pay for each value in each record."""
    order = np.lexsort(table.codes)[:10_000]
    codes = np.ascontiguousarray(table.codes[:, order])
    widest = max(column.domain.n_leaves for column in table.quasi)
    tariff = tariff_of(table, LM(), most=2 * K - 1)
    yield "runs: 10,000 rows", 9, lambda: cheapest_runs(codes, K, 2 * K - 1, tariff, widest)
    part = np.ascontiguousarray(codes[:, ::20])
    block, whole = block_of(part), tariff_of(table, LM())
    let_in(block, np.random.default_rng(3).permutation(part.shape[1]).astype(np.int32))
    rises = np.empty((block.values.size, part.shape[1]), np.float32)
    yield "freeform: joins of 500 rows", 9, lambda: price_joins(block, whole, rises)


def of_concealment(table: Table) -> Iterator[tuple[str, int, Work]]:
    """Records of a thousand rows grown to ten, the rows inside them, and repairs of 2,000 records."""
    rows = np.linspace(0, table.n_rows - 1, min(20_000, table.n_rows)).astype(np.int64)
    field = RowTree.on(table, RowTree.of(table, LM()).tariff, rows)
    records = empty(field, field.n_types)
    n = min(1000, field.n_types)

    def grown() -> None:
        put_rows(field.tree, field.tariff, records)
        grow_records(field.tree, field.tariff, field.people, field.names, K, records, 0, n)

    yield "concealment: growing records", 9, grown
    some = type(records)(*(np.ascontiguousarray(part[:n]) for part in records))
    yield "concealment: rows inside", 9, lambda: list_inside(field.tree, field.tariff, some)
    part = RowTree.on(table, field.tariff, rows[:: rows.size // 2000])
    draft, order = greedy(part, K), np.arange(part.n_rows)
    needed = Needs(K, K, K, 1)
    yield "concealment: repairs", 3, lambda: repaired(draft, K, order)
    done = concealed(repaired(draft, K, order), K, 0, order)
    yield "concealment: shrinking", 3, lambda: shrunk(done, needed)


if __name__ == "__main__":
    main(sys.argv[1:])
