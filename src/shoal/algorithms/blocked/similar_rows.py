"""Decide which rows share a block."""

from __future__ import annotations

import numpy as np

from shoal.core.arrays import Codes
from shoal.core.block_tree import learn_cuts
from shoal.core.block_union import block_of, can_stand_alone, join_neighbours
from shoal.core.contracts import Algorithm, Goal
from shoal.core.groups import Groups
from shoal.core.orders import curve_stretches
from shoal.core.randomness import Randomness
from shoal.core.table import Table

_SAMPLE = 500_000
"""A sample of this many rows is enough to choose the cuts."""


def make_blocks(table: Table, goal: Goal, algorithm: Algorithm, rows: int, by: str, randomness: Randomness) -> Groups:
    """Blocks of about ``rows`` rows, each of which can keep the goal's promises; at worst the whole table."""
    n_blocks = max(1, round(table.n_rows / rows))
    if n_blocks == 1:
        return Groups.whole(table.n_rows)
    blocks = curve_stretches(table, rows) if by == "curve" else _quantiles(table, rows, randomness)

    def is_able(span: range) -> bool:
        return can_stand_alone(block_of(table, _rows(blocks, span)), goal, algorithm)

    alone = (range(block, block + 1) for block in range(len(blocks)))
    spans = join_neighbours(alone, is_able, lambda one, other: range(one.start, other.stop))
    return Groups(blocks.offsets[[0, *(span.stop for span in spans)]], blocks.members)


def _rows(blocks: Groups, span: range) -> Codes:
    """The rows of neighbouring blocks."""
    return blocks.members[blocks.offsets[span.start] : blocks.offsets[span.stop]]


def halved(blocks: Groups) -> Groups:
    """Merge neighbouring blocks in pairs."""
    return Groups(np.append(blocks.offsets[:-1][::2], blocks.offsets[-1]), blocks.members)


def _quantiles(table: Table, rows: int, randomness: Randomness) -> Groups:
    """Blocks between quantiles, estimated from a sample if the table is large."""
    sample = _sample(table, randomness)
    cuts = learn_cuts(table.quasi, sample, rows * sample.shape[1] / table.n_rows)
    groups = Groups.from_ids(cuts.place(table.codes), cuts.n_blocks)
    kept = groups.sizes > 0
    return Groups(np.append(groups.offsets[:-1][kept], groups.offsets[-1]), groups.members)


def _sample(table: Table, randomness: Randomness) -> Codes:
    if table.n_rows <= _SAMPLE:
        return table.codes
    return np.ascontiguousarray(table.codes[:, randomness.integers(table.n_rows, _SAMPLE).astype(np.int64)])
