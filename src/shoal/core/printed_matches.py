"""Parts that satisfy models about sensitive values also against adversaries who match people by the printed cells.

Records are drawn among the matches that an algorithm lists. An adversary who does not know these considers every record
a match whose cells contain a person's values, as long as some complete assignment uses the pair. Such matches may lie
in other parts and add sensitive values that the models have not taken into account.
"""

from __future__ import annotations

import numpy as np

from shoal.core.arrays import Flags
from shoal.core.block_union import naming_all_fits
from shoal.core.consistency import consistency_of
from shoal.core.contracts import Goal
from shoal.core.diverse_parts import join_until
from shoal.core.groups import Groups
from shoal.core.randomness import Randomness
from shoal.core.regular_parts import RegularParts
from shoal.core.table import Table
from shoal.kernels.assignment_graph import expand


def closed_to_others(table: Table, goal: Goal, parts: RegularParts, k: int) -> RegularParts:
    """Parts in which models that judge printed matches hold whatever is drawn. O(fitting pairs) per round.

    Any ``k`` records of a part satisfy the models (``shoal.core.diverse_parts``), and so do unions of them if the
    models are monotone. So a part is safe if nobody has between one and k − 1 matches there. In an unsafe part all rows
    are made to match all records: its records then have equal cells, and a person matches all of them or none. Which
    parts these are does not depend on the draw, so an adversary learns nothing about the draw from it. If a model is
    not monotone, parts are joined until all models hold.
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
    graph = consistency_of(parts.release(table, Randomness(0)))  # any draw: which pairs are matches is always the same
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


def _fine(table: Table, goal: Goal, groups: Groups) -> Flags:
    """Whether everybody's matches in a part satisfy the models if each part is a class of equal records."""
    release = naming_all_fits(RegularParts.complete(groups).release(table, Randomness(0)))
    pools = release.pools
    bad = np.zeros(table.n_rows, bool)
    for pool in np.flatnonzero(~goal.accepts(table, pools)):
        bad[pools.of(int(pool))] = True
    return ~np.logical_or.reduceat(bad[groups.members], groups.offsets[:-1])
