"""From a coded table to clusters of at least k rows, the closest pair merged first; large tables in blocks."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Literal, TypeVar

import numpy as np

from shoal.algorithms.clustering.coding import Coding
from shoal.algorithms.clustering.leaves import leaves
from shoal.algorithms.clustering.planes import Whole
from shoal.core.groups import Groups
from shoal.core.progress import Progress
from shoal.core.randomness import Randomness
from shoal.kernels.clustering_agglomerate import CLOSURE, INCREASE, SIZE, agglomerate
from shoal.kernels.clustering_space import closures, scan, widen

Linkage = Literal["size", "closure", "increase"]
LINKAGES: dict[str, int] = {"size": SIZE, "closure": CLOSURE, "increase": INCREASE}

BLOCK = 100_000
"""Distinct rows that are clustered at once; more are split into blocks of similar rows first."""

_PIVOTS = 8

T = TypeVar("T")
R = TypeVar("R")


def agglomerated(
    coding: Coding, k: int, linkage: Linkage, randomness: Randomness, progress: Progress, block: int = BLOCK
) -> Groups:
    """Clusters of at least k rows. About n^1.5 steps within a block; linear in the number of blocks."""
    weights = np.bincount(coding.row, minlength=coding.cells.shape[1])
    blocks = leaves(coding.space, coding.cells, max(block, 20 * k), randomness, _PIVOTS)
    progress.stage("clustering", coding.n_rows)
    homes = np.empty(weights.size, np.int64)

    def work(some: Whole) -> tuple[Whole, Whole]:
        return some, merged_to(coding, coding.cells[:, some], weights[some], k, linkage)

    base = 0
    for some, into in shared(work, blocks):
        homes[some] = into + base
        base += some.size
        progress.advance(float(weights[some].sum()))
    return with_remnants(coding, grouped(homes[coding.row]), k)


def merged_to(coding: Coding, cells: Whole, sizes: Whole, k: int, linkage: Linkage) -> Whole:
    """Merge clusters with these cells and sizes until they have k rows, one perhaps fewer; a number for each."""
    order = np.lexsort(cells[::-1])
    sorted_cells = np.ascontiguousarray(cells[:, order])
    n_keys, starts = buckets(sorted_cells)
    into = np.empty(order.size, np.int64)
    into[order] = agglomerate(coding.space, n_keys, sorted_cells, sizes[order], starts, k, LINKAGES[linkage])
    return into


def buckets(cells: Whole) -> tuple[int, Whole]:
    """How many planes make keys, and where the runs of equal keys start: as many runs as an eighth of the cells."""
    n = cells.shape[1]
    fresh = np.arange(n) == 0
    starts, n_keys = np.array([0, n]), 1
    for p in range(cells.shape[0]):
        fresh[1:] |= cells[p, 1:] != cells[p, :-1]
        if p > 0 and fresh.sum() > n / 8:
            break
        starts, n_keys = np.append(np.flatnonzero(fresh), n), p + 1
    return n_keys, starts


def grouped(homes: Whole) -> Groups:
    """Groups of the rows with equal numbers, in the order of the numbers; −1 is no group. O(rows + numbers)."""
    counts = np.bincount(homes + 1)
    counts[0] = 0
    rank = np.cumsum(counts > 0)
    groups = Groups.from_ids(np.where(homes < 0, 0, rank[homes + 1]).astype(np.int32), int(rank[-1]) + 1)
    return Groups(groups.offsets[1:] - groups.offsets[1], groups.members[groups.offsets[1] :])


def with_remnants(coding: Coding, groups: Groups, k: int) -> Groups:
    """The groups of at least k rows, each row of the others put into the one where it adds the least cost."""
    small = np.flatnonzero(groups.sizes < k)
    if small.size == 0:
        return groups
    homes = groups.ids(coding.n_rows).astype(np.int64)
    closed, own = closures(coding.space, coding.cells, groups.offsets, coding.row[groups.members])
    sizes = groups.sizes.copy()
    prices = np.empty(sizes.size, np.int32)
    for row in np.concatenate([groups.of(int(g)) for g in small]):
        distinct = int(coding.row[row])
        scan(coding.space, closed.shape[0], closed, 0, sizes.size, coding.cells, distinct, prices)
        added = prices + sizes * (prices - own)
        added[small] = np.iinfo(np.int64).max
        target = int(np.argmin(added))
        own[target] = widen(coding.space, closed, target, coding.cells, distinct)
        sizes[target] += 1
        homes[row] = target
    return grouped(homes)


def shared(work: Callable[[T], R], parts: Iterable[T]) -> Iterable[R]:
    """The results of the work on all parts, in order, on as many threads as there are cores."""
    parts = list(parts)
    n_threads = min(len(parts), os.cpu_count() or 1)
    if n_threads < 2:
        yield from map(work, parts)
        return
    pool = ThreadPoolExecutor(n_threads)
    try:
        yield from pool.map(work, parts)
    finally:
        pool.shutdown(cancel_futures=True)
