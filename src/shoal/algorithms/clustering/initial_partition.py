"""The initial partition, for any promises."""

from __future__ import annotations

import math

from shoal.algorithms.clustering.agglomeration import BLOCK, LEAST_BLOCK, Linkage, affordable, agglomerated
from shoal.algorithms.clustering.coded_rows import Coding
from shoal.algorithms.clustering.group_merging import merged
from shoal.core.contracts import Goal
from shoal.core.groups import Groups
from shoal.core.progress import Progress
from shoal.core.randomness import Randomness
from shoal.core.release import Release
from shoal.core.table import Table

_MANY, _MOST = 0.5, 6000
"""If more than this share of the groups break a promise, larger groups are also tried; if more than this number do,
they are tried instead."""

_UNITED = 200
"""About how many groups can be merged in a second; with less time, larger groups are tried instead."""


def start(
    table: Table,
    goal: Goal,
    coding: Coding,
    linkage: Linkage,
    randomness: Randomness,
    progress: Progress,
    seconds: float = math.inf,
    block: int = BLOCK,
    n_near: int = 0,
) -> Groups:
    """Agglomerative clusters of the least size that the promises allow; those that break one are merged with others.

    If most break one, clusters of twice the size, four times, … are tried, and the cheapest partition is returned. If
    that would take more than ``seconds``, rows are clustered in smaller blocks, and groups that break a promise are
    merged only if they are few enough for that time.
    """
    most = min(_MOST, _UNITED * seconds)
    if seconds < math.inf and block > LEAST_BLOCK and not n_near:
        block = min(block, affordable(coding, goal.floor, linkage, seconds))
    best: Groups | None = None
    size = goal.floor
    while True:
        groups = agglomerated(coding, size, linkage, randomness.child(f"size {size}"), progress, block, n_near)
        n_failing = 0 if goal.is_about_size else int((~goal.accepts(table, groups)).sum())
        is_last = n_failing <= _MANY * len(groups) or 2 * size > table.n_rows
        if n_failing <= most or is_last:
            found = settled(table, goal, coding, groups, progress)
            if best is not None and coding.cost(found) > coding.cost(best):
                return best
            best = found
        if best is not None and is_last:
            return best
        size *= 2


def settled(table: Table, goal: Goal, coding: Coding, groups: Groups, progress: Progress) -> Groups:
    """Unite groups with equal cells, then merge groups until each keeps every promise."""
    while True:
        groups = Release.from_groups(table, groups).classes
        if goal.accepts(table, groups).all():
            return groups
        groups = merged(table, goal, groups, coding, progress)
