"""Parts that keep promises about sensitive values also for somebody who joins people and records by the printed cells.

Records are drawn among the matches that an algorithm names. Whoever does not know these takes every record for a match
whose cells hold a person's values, as long as some complete assignment uses the pair. Such matches may lie in other
parts, and may bring values along that a promise did not reckon with.
"""

from __future__ import annotations

import numpy as np

from shoal.core.arrays import Flags
from shoal.core.block_union import naming_all_fits
from shoal.core.consistency import Consistency, consistency_of
from shoal.core.contracts import Goal
from shoal.core.diverse_parts import join_until
from shoal.core.groups import Groups
from shoal.core.randomness import Randomness
from shoal.core.regular_parts import RegularParts
from shoal.core.table import Table
from shoal.kernels.assignment_graph import expand


def closed_to_others(table: Table, goal: Goal, parts: RegularParts, k: int) -> RegularParts:
    """Parts in which promises that read printed matches hold for them too, whatever is drawn. O(fitting pairs) a round.

    Any ``k`` records of a part keep the promises (``shoal.core.diverse_parts``), and so do unions of such where
    promises are monotone. So a part is safe if nobody has between one and k − 1 matches there. All rows of an unsafe
    part are made to match all its records: its records then look alike, and are somebody's matches all together or not
    at all. Which parts that are does not depend on the draw, so what an adversary sees of it tells nothing about the
    draw.

    Where a promise is not monotone, parts are joined until all is well.
    """
    wary = [model for model in goal.group_models if model.reads_printed]
    while wary and (unsafe := _unsafe(table, parts, k)).any():
        parts = parts.closed(unsafe)
    if all(model.is_monotone for model in wary):
        return parts
    groups = join_until(lambda groups: _fine(table, goal, groups), Groups(parts.offsets, parts.rows))
    return RegularParts.complete(groups)


def _unsafe(table: Table, parts: RegularParts, k: int) -> Flags:
    """The parts in which somebody has matches, but fewer than ``k``."""
    graph = _any_graph(table, parts)
    of_record = np.repeat(np.arange(parts.is_complete.size), parts.sizes)
    pairs, counts = np.unique(graph.shape_of.astype(np.int64) * parts.is_complete.size + of_record, return_counts=True)
    shapes, homes = np.divmod(pairs, parts.is_complete.size)
    kept = graph.is_match
    ends = np.concatenate([[0], np.cumsum(kept)])[graph.offsets].astype(np.int64)
    offsets, types = expand(np.arange(pairs.size + 1), shapes.astype(np.int32), ends, graph.types[kept])
    sizes = np.diff(offsets)
    found, at = np.unique(
        types.astype(np.int64) * parts.is_complete.size + np.repeat(homes, sizes), return_inverse=True
    )
    matches = np.bincount(at, np.repeat(counts, sizes), found.size)
    unsafe = np.zeros(parts.is_complete.size, bool)
    unsafe[found[matches < k] % parts.is_complete.size] = True
    return unsafe & ~parts.is_complete


def _any_graph(table: Table, parts: RegularParts) -> Consistency:
    """Who fits what; which pairs are matches is the same for all draws, so any will do."""
    return consistency_of(parts.release(table, Randomness(0)))


def _fine(table: Table, goal: Goal, groups: Groups) -> Flags:
    """Whether the matches of everybody in a part keep the promises, parts being classes of equal records."""
    release = naming_all_fits(RegularParts.complete(groups).release(table, Randomness(0)))
    pools = release.pools
    bad = np.zeros(table.n_rows, bool)
    for pool in np.flatnonzero(~goal.accepts(table, pools)):
        bad[pools.of(int(pool))] = True
    return ~np.logical_or.reduceat(bad[groups.members], groups.offsets[:-1])
