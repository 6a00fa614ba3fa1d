"""What the algorithms of this folder share: the table as rows that agree or differ column by column, and its covers."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from shoal.core.arrays import Codes, Floats, Offsets
from shoal.core.contracts import Algorithm, Goal, GroupModel
from shoal.core.diverse_parts import join_until, keeping
from shoal.core.goal_feasibility import require_possible
from shoal.core.groups import Groups
from shoal.core.progress import Progress
from shoal.core.randomness import Randomness
from shoal.core.release import Release
from shoal.core.table import Table


@dataclass(frozen=True, eq=False)
class SuppressionProblem:
    """The columns in which rows differ: ``codes[column, row]`` and what a star in each costs."""

    codes: Codes
    prices: Floats

    @classmethod
    def of(cls, table: Table) -> SuppressionProblem:
        """Build the problem without columns that have a single value: they are never starred."""
        differ = [j for j, column in enumerate(table.quasi) if int(column.domain.occurs.sum()) > 1]
        prices = np.array([table.quasi[j].weight for j in differ], np.float64)
        return cls(np.ascontiguousarray(table.codes[differ]), prices)

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return int(self.codes.shape[1])

    @property
    def n_columns(self) -> int:
        """Number of columns that may be starred."""
        return int(self.codes.shape[0])

    def stars(self, rows: Codes) -> float:
        """What the stars of one record cost if these rows share their cells. O(rows · columns)."""
        here = self.codes[:, rows]
        return float(self.prices[(here != here[:, :1]).any(axis=1)].sum())


@dataclass(frozen=True)
class SuppressionAlgorithm(Algorithm):
    """Makes groups of k to 2k − 1 rows with few stars, and gives each its smallest permitted cells.

    Groups that break a promise beyond class size are merged with similar ones.
    """

    serves = (GroupModel,)
    asks_about_cells: ClassVar[bool] = True
    is_local: ClassVar[bool] = True

    def run(self, table: Table, goal: Goal, randomness: Randomness, progress: Progress) -> Release:
        """Group the rows, and merge groups where the promises require it."""
        self.refuse(table, goal)
        require_possible(table, goal)
        groups = self.groups(SuppressionProblem.of(table), goal.floor, progress)
        return Release.from_groups(table, join_until(keeping(table, goal), _beside_similar(table, groups)))

    @abstractmethod
    def groups(self, problem: SuppressionProblem, k: int, progress: Progress) -> Groups:
        """The groups."""


def _beside_similar(table: Table, groups: Groups) -> Groups:
    """The same groups, ordered by the first of their rows in lexicographic order."""
    place = np.empty(table.n_rows, np.int64)
    place[np.lexsort(table.codes[::-1])] = np.arange(table.n_rows)
    firsts = np.minimum.reduceat(place[groups.members], groups.offsets[:-1])
    rank = np.empty(len(groups), np.int32)
    rank[np.argsort(firsts)] = np.arange(len(groups), dtype=np.int32)
    return Groups.from_ids(rank[groups.ids(table.n_rows)], len(groups))


@dataclass(frozen=True, eq=False)
class Cover:
    """The result of a greedy cover: the group of each row, the pick that covered it, and what each pick cost."""

    homes: Offsets
    turns: Offsets
    prices: Floats

    @property
    def groups(self) -> Groups:
        """The groups, omitting numbers that no row has any more."""
        _, ids = np.unique(self.homes, return_inverse=True)
        return Groups.from_ids(ids.astype(np.int32), int(ids.max(initial=-1)) + 1)


def nothing(n_rows: int) -> tuple[Offsets, Offsets, Offsets]:
    """Homes and turns of rows that are not covered yet, and the sizes of empty groups."""
    return np.full(n_rows, -1, np.int64), np.full(n_rows, -1, np.int64), np.zeros(n_rows + 1, np.int64)
