"""From a coded table to clusters of at least k rows, the closest pair merged first; large tables in blocks."""

from __future__ import annotations

import math
import os
from typing import Literal

import numpy as np

from shoal.algorithms.clustering.coded_rows import Coding
from shoal.algorithms.clustering.merge_rounds import MergeRounds
from shoal.algorithms.clustering.merge_slices import Merging
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
"""Distinct rows that are clustered at once; more are clustered in rounds, in blocks of similar rows."""

LEAST_BLOCK = 1000
"""Blocks do not get smaller to save time."""

_SAMPLED, _GROWTH = 800, 0.4
"""Rows of a neighbourhood by which the time is judged, and the power with which a row's time grows with its block: the
larger that is, the more of it bounds exclude."""

_ROUNDS = 2.5
"""How many times longer rounds take than blocks of the same size that stay."""

NEIGHBOURS = 25
"""How many near clusters a list names."""

_ALONG_LISTS = 5e-6
"""Seconds of a processor that clustering along lists takes for each distinct row and plane, about."""


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

    With ``n_near`` above 0 more rows than a block has are merged along lists of so many near clusters.

    Where most combinations of values occur all rows are equally close to many others, and much depends on which of
    them are merged: there two orders are tried, and the clusters that cost less are taken.
    """
    ways = (False, True) if _is_full(coding) else (False,)
    found = []
    for by_last in ways:
        rounds = MergeRounds(coding, k, LINKAGES[linkage], by_last, n_near)
        rounds.run(max(block, 20 * k), randomness, progress)
        found.append(with_remnants(coding, grouped(rounds.homes[coding.row]), k))
    return min(found, key=coding.cost)


def _is_full(coding: Coding) -> bool:
    """Whether at least half of all combinations of cells are there."""
    n_combinations = math.prod(int(np.unique(plane).size) for plane in coding.cells)
    return n_combinations <= 2 * int(coding.cells.shape[1])


def affordable(coding: Coding, k: int, linkage: Linkage, seconds: float) -> int:
    """The largest block, halved again and again, with which clustering takes about so many seconds."""
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
    """How long lists may be with which clustering takes about so many seconds; 0 where it takes longer."""
    return NEIGHBOURS if _ALONG_LISTS * coding.cells.size / (os.cpu_count() or 1) < seconds else 0


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
