"""Algorithm 1 of the paper: the cheapest pattern first, and every class it can make at once."""

from __future__ import annotations

import numpy as np

from shoal.algorithms.patterns.assignment import Assignment
from shoal.algorithms.patterns.problem import Problem
from shoal.core.arrays import Codes
from shoal.core.contracts import Goal
from shoal.core.groups import Groups
from shoal.core.progress import Progress
from shoal.kernels.patterns_sweep import large_groups, pack, sweep, turn


def cover(problem: Problem, goal: Goal, progress: Progress) -> Assignment:
    """Give rows patterns, cheapest first; rows of a class that keeps every promise keep their pattern for good.

    Rows that no pattern fits in the end have none. O(rows · patterns), a few nanoseconds each.
    """
    progress.stage("trying patterns", len(problem.mask))
    if goal.is_about_size:
        chosen = np.full(problem.weights.size, -1, np.int32)
        sweep(problem.planes, problem.lines, problem.idle, problem.weights, goal.floor, chosen)
        return _on_rows(problem, chosen)
    return _cover_carefully(problem, goal, progress)


def _on_rows(problem: Problem, chosen: Codes) -> Assignment:
    return Assignment(problem.table, problem.mask, chosen[problem.table.distinct.ids])


def _cover_carefully(problem: Problem, goal: Goal, progress: Progress) -> Assignment:
    """The same where more than size matters: every pattern's classes are put to the promises.

    No pattern is passed over: a class that was refused may be accepted once others have taken rows out of it.
    """
    chosen = np.full(problem.weights.size, -1, np.int32)
    rows, packed, weights = pack(problem.planes, problem.weights, chosen)
    keys, now = np.zeros(rows.size, np.uint64), np.full(len(problem.mask.ladders), -1, np.int32)
    members = Groups.from_ids(problem.table.distinct.ids, problem.weights.size)
    for pattern in range(len(problem.mask)):
        turn(keys, packed, now, problem.lines[pattern])
        found, ids, n_groups = large_groups(keys, weights, goal.floor)
        if n_groups:
            fine = goal.accepts(problem.table, _rows_of(members, found, ids, n_groups))[ids]
            chosen[found[fine]] = pattern
            weights[found[fine]] = 0
        progress.advance()
    return _on_rows(problem, chosen)


def _rows_of(members: Groups, distinct: Codes, ids: Codes, n_groups: int) -> Groups:
    """Groups of rows from groups of distinct rows. O(members)."""
    order = np.argsort(ids, kind="stable")
    sizes = members.sizes[distinct[order]]
    starts = np.repeat(members.offsets[distinct[order]] - np.cumsum(sizes) + sizes, sizes)
    rows = members.members[starts + np.arange(sizes.sum())]
    totals = np.bincount(ids[order], weights=sizes, minlength=n_groups).astype(np.int64)
    return Groups(np.concatenate([[0], np.cumsum(totals)]).astype(np.int64), rows)
