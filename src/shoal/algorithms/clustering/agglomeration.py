"""From a coded table to clusters of at least k rows, the closest pair merged first; large tables in blocks."""

from __future__ import annotations

import math
import os
from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor, wait
from threading import Event
from typing import Literal, TypeVar

import numpy as np

from shoal.algorithms.clustering.coded_rows import Coding
from shoal.algorithms.clustering.merge_slices import Merging
from shoal.algorithms.clustering.vantage_point_leaves import leaves
from shoal.core.arrays import Whole
from shoal.core.groups import Groups
from shoal.core.progress import Progress
from shoal.core.randomness import Randomness
from shoal.kernels.clustering_agglomerate import CLOSURE, INCREASE, SIZE
from shoal.kernels.clustering_space import closures, scan, widen
from shoal.kernels.compiled import working_time

Linkage = Literal["size", "closure", "increase"]
LINKAGES: dict[str, int] = {"size": SIZE, "closure": CLOSURE, "increase": INCREASE}

BLOCK = 100_000
"""Distinct rows that are clustered at once; more are split into blocks of similar rows first."""

_LEAST_BLOCK = 1000
"""Blocks do not get smaller to save time."""

_SAMPLED, _GROWTH = 800, 0.4
"""Rows of a neighbourhood by which the time is judged, and the power with which a row's time grows with its block: the
larger that is, the more of it bounds exclude."""

_PIVOTS = 8

_OFTEN = 0.1
"""Seconds between two reports of threads that work."""

T = TypeVar("T")
R = TypeVar("R")


def agglomerated(
    coding: Coding, k: int, linkage: Linkage, randomness: Randomness, progress: Progress, block: int = BLOCK
) -> Groups:
    """Clusters of at least k rows. About n^1.5 steps within a block; linear in the number of blocks.

    Where most combinations of values occur all rows are equally close to many others, and much depends on which of
    them are merged: there two orders are tried, and the clusters that cost less are taken.
    """
    ways = (False, True) if _is_full(coding) else (False,)
    found = [_merged(coding, k, linkage, randomness, progress, block, by_last) for by_last in ways]
    return min(found, key=coding.cost)


def _is_full(coding: Coding) -> bool:
    """Whether at least half of all combinations of cells are there."""
    n_combinations = math.prod(int(np.unique(plane).size) for plane in coding.cells)
    return n_combinations <= 2 * int(coding.cells.shape[1])


def _merged(
    coding: Coding, k: int, linkage: Linkage, randomness: Randomness, progress: Progress, block: int, by_last: bool
) -> Groups:
    weights = np.bincount(coding.row, minlength=coding.cells.shape[1])
    blocks = leaves(coding.space, coding.cells, max(block, 20 * k), randomness, _PIVOTS)
    progress.stage("clustering", float(weights.size))
    homes = np.empty(weights.size, np.int64)
    told: deque[float] = deque()
    stop = Event()

    def work(some: Whole) -> tuple[Whole, Whole]:
        merging = Merging(coding, coding.cells[:, some], weights[some], k, LINKAGES[linkage], by_last)
        for share in merging.slices():
            told.append(share * some.size)
            if len(blocks) == 1:
                tell()
            if stop.is_set():
                break
        return some, merging.homes

    def tell() -> None:
        while told:
            progress.advance(told.popleft())

    base = 0
    try:
        for some, into in shared(work, blocks, tell):
            homes[some] = into + base
            base += some.size
    finally:
        stop.set()
    tell()
    return with_remnants(coding, grouped(homes[coding.row]), k)


def affordable(coding: Coding, k: int, linkage: Linkage, seconds: float) -> int:
    """The largest block, halved again and again, with which clustering takes about so many seconds."""
    n, n_cores = coding.cells.shape[1], os.cpu_count() or 1
    if n <= _LEAST_BLOCK:
        return BLOCK
    n_blocks = fewest = -(-n // BLOCK)
    work = seconds_alone(coding, k, linkage, -(-n // fewest))
    while n > 2 * n_blocks * _LEAST_BLOCK and work / min(n_cores, n_blocks) > seconds:
        work, n_blocks = work / 2**_GROWTH, 2 * n_blocks
    return BLOCK if n_blocks == fewest else -(-n // n_blocks)


def seconds_alone(coding: Coding, k: int, linkage: Linkage, block: int) -> float:
    """About how long it takes one core to cluster all rows in blocks of this size, judged by two neighbourhoods."""
    n = coding.cells.shape[1]
    sizes, prices = np.bincount(coding.row, minlength=n), np.empty(n, np.int32)
    sampled, spent = min(n, block, _SAMPLED), 0.0
    for pivot in (n // 3, 2 * n // 3):
        scan(coding.space, coding.cells.shape[0], coding.cells, 0, n, coding.cells, pivot, prices)
        some = np.sort(np.argsort(prices, kind="stable")[:sampled])
        started = working_time()
        merging = Merging(coding, coding.cells[:, some], sizes[some], k, LINKAGES[linkage])
        for _ in merging.slices():
            pass
        spent += (working_time() - started) / 2
    return float(spent * n / sampled * (block / sampled) ** _GROWTH)


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


def shared(work: Callable[[T], R], parts: Iterable[T], meanwhile: Callable[[], None] | None = None) -> Iterable[R]:
    """The results of the work on all parts, in order, on as many threads as there are cores.

    ``meanwhile`` is called now and then by the thread that waits.
    """
    parts = list(parts)
    n_threads = min(len(parts), os.cpu_count() or 1)
    if n_threads < 2:
        yield from map(work, parts)
        return
    pool = ThreadPoolExecutor(n_threads)
    try:
        for future in [pool.submit(work, part) for part in parts]:
            while meanwhile and not wait([future], _OFTEN).done:
                meanwhile()
            yield future.result()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
