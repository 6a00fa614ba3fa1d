"""From a coded table to clusters of at least k rows, merging the closest pair first; large tables in blocks."""

from __future__ import annotations

import math
import os
from typing import Literal

import numpy as np

from shoal.algorithms.clustering.coded_rows import Coding
from shoal.algorithms.clustering.merge_rounds import MergeRounds, Merging
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
"""How many distinct rows are clustered at once; more are clustered in rounds, in blocks of similar rows."""

LEAST_BLOCK = 1000
"""Blocks are not made smaller than this to save time."""

_SAMPLED, _GROWTH = 800, 0.4
"""The number of rows in a sampled neighbourhood for estimating the time, and the power with which the time per row
grows with the block size: bounds exclude a larger part of a larger block."""

_SPREAD, _MOST_GROWTH = 1600, 0.7
"""Rows all over the table in the smaller of two samples for estimating the time of a single block, and the largest
power seen: more than that is chance."""

_ROUNDS = 2.5
"""How many times longer rounds take than fixed blocks of the same size."""

NEIGHBOURS = 25
"""The length of the lists of near clusters."""

_ALONG_LISTS = 5e-6
"""Approximate processor seconds per distinct row and plane for clustering along lists."""


def agglomerated(
    coding: Coding,
    k: int,
    linkage: Linkage,
    randomness: Randomness,
    progress: Progress,
    block: int = BLOCK,
    n_near: int = 0,
) -> Groups:
    """Clusters of at least k rows. About n^1.5 steps within a block; linear in the number of blocks of a round.

    With ``n_near`` above 0, tables larger than a block are merged along lists of ``n_near`` near clusters.

    If most combinations of values occur, every row is equally close to many others, and much depends on which of them
    are merged. In this case two orders are tried, and the cheaper clusters are returned.
    """
    ways = (False, True) if _is_full(coding) else (False,)
    found = []
    for by_last in ways:
        rounds = MergeRounds(coding, k, LINKAGES[linkage], by_last, n_near)
        rounds.run(max(block, 20 * k), randomness, progress)
        found.append(with_remnants(coding, grouped(rounds.homes[coding.row]), k))
    return min(found, key=coding.cost)


def _is_full(coding: Coding) -> bool:
    """Whether at least half of all combinations of cells occur."""
    n_combinations = math.prod(int(np.unique(plane).size) for plane in coding.cells)
    return n_combinations <= 2 * int(coding.cells.shape[1])


def affordable(coding: Coding, k: int, linkage: Linkage, seconds: float) -> int:
    """The largest block, found by repeated halving, with which clustering takes about ``seconds``."""
    n, n_cores = coding.cells.shape[1], os.cpu_count() or 1
    if n <= LEAST_BLOCK:
        return BLOCK
    n_blocks = fewest = -(-n // BLOCK)
    work = seconds_alone(coding, k, linkage, -(-n // fewest))
    work *= 1 if n_blocks == 1 else _ROUNDS
    while n > 2 * n_blocks * LEAST_BLOCK and work / min(n_cores, n_blocks) > seconds:
        work, n_blocks = work / 2**_GROWTH * (_ROUNDS if n_blocks == 1 else 1), 2 * n_blocks
    return BLOCK if n_blocks == fewest else -(-n // n_blocks)


def affordable_lists(coding: Coding, seconds: float) -> int:
    """The length of lists if clustering along them takes less than ``seconds``, else 0."""
    return NEIGHBOURS if _ALONG_LISTS * coding.cells.size / (os.cpu_count() or 1) < seconds else 0


def seconds_alone(coding: Coding, k: int, linkage: Linkage, block: int) -> float:
    """Estimate how long one core takes to cluster all rows in blocks of this size.

    For smaller blocks, which have similar rows, from two sampled neighbourhoods. For all rows at once, from rows all
    over the table and the growth between two sample sizes: with many columns, bounds exclude little.
    """
    n = coding.cells.shape[1]
    sizes, prices = np.bincount(coding.row, minlength=n), np.empty(n, np.int32)
    if block >= n > 2 * _SPREAD:
        few, more = (
            _seconds(coding, sizes, np.linspace(0, n - 1, size).astype(np.int64), k, linkage)
            for size in (_SPREAD, 2 * _SPREAD)
        )
        growth = min(max(math.log2(more / few) - 1, _GROWTH), _MOST_GROWTH)
        return float(more * (n / (2 * _SPREAD)) ** (1 + growth))
    sampled, spent = min(n, block, _SAMPLED), 0.0
    for pivot in (n // 3, 2 * n // 3):
        scan(coding.space, coding.cells.shape[0], coding.cells, 0, n, coding.cells, pivot, prices)
        some = np.sort(np.argsort(prices, kind="stable")[:sampled])
        spent += _seconds(coding, sizes, some, k, linkage) / 2
    return float(spent * n / sampled * (block / sampled) ** _GROWTH)


def _seconds(coding: Coding, sizes: Whole, some: Whole, k: int, linkage: Linkage) -> float:
    """How long clustering these rows takes."""
    started = working_time()
    merging = Merging(coding, coding.cells[:, some], sizes[some], k, LINKAGES[linkage])
    for _ in merging.slices():
        pass
    return max(working_time() - started, 1e-6)


def grouped(homes: Whole) -> Groups:
    """Group rows with equal numbers, in the order of the numbers; −1 means no group. O(rows + numbers)."""
    counts = np.bincount(homes + 1, minlength=1)
    counts[0] = 0
    rank = np.cumsum(counts > 0)
    groups = Groups.from_ids(np.where(homes < 0, 0, rank[homes + 1]).astype(np.int32), int(rank[-1]) + 1)
    return Groups(groups.offsets[1:] - groups.offsets[1], groups.members[groups.offsets[1] :])


def with_remnants(coding: Coding, groups: Groups, k: int) -> Groups:
    """The groups of at least k rows; each row of a smaller group goes to the one where it adds the least cost."""
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
