"""Promises beyond class size: merge groups that break one with the nearest until none does."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from shoal.core.arrays import Flags, Floats
from shoal.core.contracts import Goal
from shoal.core.groups import Groups
from shoal.core.table import Table


def united(table: Table, goal: Goal, points: Floats, groups: Groups, printed: Callable[[Groups], Groups]) -> Groups:
    """Groups that keep every promise, also as published: groups that look alike in ``printed`` are one class there.

    Each group that breaks a promise is merged with the one with the nearest mean. All rows together must keep the
    promises. Takes O(groups · dimensions) for each group that breaks one.
    """
    while len(groups) > 1:
        classes = printed(groups)
        fine = goal.accepts(table, classes)
        if fine.all():
            return classes
        groups = _merged(points, classes, ~fine)
    return groups


def _merged(points: Floats, groups: Groups, failing: Flags) -> Groups:
    """Merge each failing group, unless another was just merged into it, with the nearest other."""
    numbers = np.repeat(np.arange(len(groups)), groups.sizes)
    inside = points[groups.members]
    means = np.array([np.bincount(numbers, column) for column in inside.T]).T / groups.sizes[:, None]
    joined, is_joined = np.arange(len(groups)), np.zeros(len(groups), bool)
    for group in np.flatnonzero(failing):
        if is_joined[group]:
            continue
        distances = ((means - means[group]) ** 2).sum(axis=1)
        distances[group] = np.inf
        nearest = int(distances.argmin())
        joined[joined == joined[group]] = joined[nearest]
        is_joined[group] = is_joined[nearest] = True
    _, homes = np.unique(joined, return_inverse=True)
    ids = np.empty(points.shape[0], np.int32)
    ids[groups.members] = homes[numbers]
    return Groups.from_ids(ids, int(homes.max()) + 1)
