"""Sorted: rows in the order of their codes, cut into groups of k."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from shoal.core.contracts import Algorithm, Goal
from shoal.core.groups import Groups
from shoal.core.progress import Progress
from shoal.core.randomness import Randomness
from shoal.core.release import Release
from shoal.core.table import Table
from shoal.models import KAnonymity


@dataclass(frozen=True)
class Sorted(Algorithm):
    """Neighbours in sorted order share their cells. O(n log n)."""

    name: ClassVar[str] = "sorted"
    summary: ClassVar[str] = "rows in sorted order, cut into groups of k"
    serves = (KAnonymity,)

    def run(self, table: Table, goal: Goal, randomness: Randomness, progress: Progress) -> Release:
        """Sort, cut, and let the last group have the rest."""
        order = np.lexsort(table.codes[::-1])
        n_groups = max(1, table.n_rows // max(1, goal.floor))
        group = np.minimum(np.arange(table.n_rows) // max(1, goal.floor), n_groups - 1)
        ids = np.empty(table.n_rows, np.int32)
        ids[order] = group
        return Release.from_groups(table, Groups.from_ids(ids, n_groups))
