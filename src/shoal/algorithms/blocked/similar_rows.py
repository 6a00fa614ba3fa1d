"""Which rows are together in a block."""

from __future__ import annotations

import numpy as np

from shoal.core.arrays import Codes, Flags
from shoal.core.contracts import Algorithm, Goal
from shoal.core.cuts import learn_cuts
from shoal.core.groups import Groups
from shoal.core.orders import curve_stretches
from shoal.core.pieces import join_until
from shoal.core.randomness import Randomness
from shoal.core.table import Table
from shoal.core.union import block_of
from shoal.errors import ShoalError

_SAMPLE = 500_000
"""So many rows are enough to know where to cut."""


def make_blocks(table: Table, goal: Goal, algorithm: Algorithm, rows: int, by: str, randomness: Randomness) -> Groups:
    """Blocks of about so many rows, each of which can keep the goal's promises by itself; the whole table at worst."""
    n_blocks = max(1, round(table.n_rows / rows))
    if n_blocks == 1:
        return Groups.whole(table.n_rows)
    blocks = curve_stretches(table, rows) if by == "curve" else _quantiles(table, rows, randomness)

    def fine(groups: Groups) -> Flags:
        able = [can_serve(algorithm, goal, block_of(table, groups.of(block))) for block in range(len(groups))]
        both: Flags = goal.accepts(table, groups) & np.array(able, bool)
        return both

    return join_until(fine, blocks)


def halved(blocks: Groups) -> Groups:
    """Neighbours joined two by two."""
    return Groups(np.append(blocks.offsets[:-1][::2], blocks.offsets[-1]), blocks.members)


def _quantiles(table: Table, rows: int, randomness: Randomness) -> Groups:
    """Blocks between quantiles, learnt from a sample where the table is large."""
    sample = _sample(table, randomness)
    cuts = learn_cuts(table.quasi, sample, rows * sample.shape[1] / table.n_rows)
    groups = Groups.from_ids(cuts.place(table.codes), cuts.n_blocks)
    kept = groups.sizes > 0
    return Groups(np.append(groups.offsets[:-1][kept], groups.offsets[-1]), groups.members)


def _sample(table: Table, randomness: Randomness) -> Codes:
    if table.n_rows <= _SAMPLE:
        return table.codes
    return np.ascontiguousarray(table.codes[:, randomness.integers(table.n_rows, _SAMPLE).astype(np.int64)])


def can_serve(algorithm: Algorithm, goal: Goal, block: Table) -> bool:
    """Whether nothing about the rows keeps the algorithm or a promise from being tried on them."""
    try:
        for promise in goal.promises:
            promise.refuse(block)
        algorithm.refuse(block, goal)
    except ShoalError:
        return False
    return True
