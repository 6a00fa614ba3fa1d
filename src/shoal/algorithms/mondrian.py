"""Mondrian: cut the table in two repeatedly, while both halves keep every promise."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from shoal.core.arrays import Flags, Floats, Offsets
from shoal.core.contracts import Algorithm, Goal, GroupModel
from shoal.core.diverse_parts import join_until, keeping
from shoal.core.goal_feasibility import require_possible
from shoal.core.groups import Groups
from shoal.core.progress import Progress
from shoal.core.randomness import Randomness
from shoal.core.release import Release
from shoal.core.table import QuasiColumn, Table
from shoal.kernels import mondrian as kernels

_WORTH_A_THREAD = 100_000


@dataclass(frozen=True)
class Mondrian(Algorithm):
    """Greedy multidimensional partitioning, strict or relaxed, for any promises about groups.

    A group is cut across the column with the widest spread, relative to the whole column: by value for numbers and
    dates, by the size of its hierarchy node if there is a hierarchy, otherwise by rank. Ties go to the column with
    fewer leaves, then to the first. The cut lies next to the median; if it is not allowed (a side breaks a promise),
    the other side of the median is tried, then the next column. Columns with a hierarchy are cut between the children
    of the group's node, and inside a child only if no other cut is allowed.

    *Strict*: equal values stay together, and no allowed cut is left (if promises go beyond class size, cuts further
    from the median are tried as well). *Relaxed*: if no strict cut is allowed, the rows at the median are distributed
    so that both halves are equal, so duplicates may end in different classes; it never loses more than strict.

    Differs from Ciriani et al., who try one column and the upper side of the median only, and whose relaxed variant
    halves every group: on Adult that loses three times as much.

    Cost: O(columns · n log n) time for n rows, O(columns · n) memory.

    Reference: LeFevre, DeWitt and Ramakrishnan 2006, Mondrian Multidimensional k-Anonymity; Ciriani et al. 2007,
    k-Anonymity (Algorithm 4.2).

    >>> import polars as pl
    >>> import shoal
    >>> table = pl.DataFrame({"zip": ["02139", "02138", "02142", "02141"], "age": [23, 25, 61, 67]})
    >>> words = {"quasi_identifiers": ["zip", "age"], "hierarchies": {"zip": "mask"}, "privacy": shoal.KAnonymity(2)}
    >>> release = shoal.anonymize(table, algorithm=shoal.Mondrian(relaxed=True), **words)
    >>> sorted(set(release.to_frame().rows()))
    [('0213*', '[23..25]'), ('0214*', '[61..67]')]
    """

    relaxed: bool = False

    name: ClassVar[str] = "mondrian"
    summary: ClassVar[str] = "cut at the median of the widest column while every promise holds (fast, good)"
    serves = (GroupModel,)
    asks_about_cells: ClassVar[bool] = True
    is_local: ClassVar[bool] = True

    def run(self, table: Table, goal: Goal, randomness: Randomness, progress: Progress) -> Release:
        """Partition the rows and give each part its smallest permitted cells."""
        require_possible(table, goal)
        return Release.from_groups(table, join_until(keeping(table, goal), self.partition(table, goal, progress)))

    def partition(self, table: Table, goal: Goal, progress: Progress) -> Groups:
        """The groups of rows that share their cells."""
        progress.stage("cutting", table.n_rows)
        rules = kernels.Rules(goal.floor, not goal.is_about_size, self.relaxed)
        frontier = _Frontier(table, rules)
        done: list[Groups] = []
        while frontier.n_groups:
            done.append(frontier.propose())
            frontier.split(lambda groups: goal.accepts(table, groups))
            progress.advance(done[-1].members.size)
        return Groups.concatenated(done)


_EVERY_CUT, _STRIDE = 1_000, 4
"""Up to this many rows, every cut of a group is tried; in larger groups, each cut is a quarter farther from the median
than the last."""


class _Frontier:
    """The groups that may still be cut, with their rows adjacent in memory."""

    def __init__(self, table: Table, rules: kernels.Rules) -> None:
        self.shape, self.rules = _geometry(table), rules
        # bytes would be little faster, and compiling for them would add seconds to a first run
        self.data = table.codes.astype(np.uint16 if self.shape.widest <= 2**16 else np.int32)
        self.rows = np.arange(table.n_rows, dtype=np.int32)
        self.offsets = np.array([0, table.n_rows], np.int64)
        self.tries = np.zeros(1, np.int64)
        self.spare = (np.empty_like(self.data), np.empty_like(self.rows))

    @property
    def n_groups(self) -> int:
        return self.offsets.size - 1

    def propose(self) -> Groups:
        """Find the next cut of every group; return the groups that have none left."""
        self.plan = kernels.Plan(*np.empty((4, self.n_groups), np.int64))

        def work(first: int, last: int) -> None:
            kernels.propose(self.data, self.offsets, first, last, self.rules, self.shape, self.tries, self.plan)

        self._share(work)
        closed = self.plan.column < 0
        sizes = np.diff(self.offsets)
        members = self.rows[: self.offsets[-1]][np.repeat(closed, sizes)]
        return Groups(np.concatenate([[0], np.cumsum(sizes[closed])]), members)

    def split(self, accepts: Callable[[Groups], Flags]) -> None:
        """Make the cuts, and undo those with a side that is not accepted."""
        is_open = self.plan.column >= 0
        starts = np.concatenate([[0], np.cumsum(np.where(is_open, np.diff(self.offsets), 0))])
        data, rows = self.spare

        def work(first: int, last: int) -> None:
            kernels.carry_out(self.data, self.rows, self.offsets, first, last, self.plan, starts, data, rows)

        self._share(work)
        self.spare, self.data, self.rows = (self.data, self.rows), data, rows
        middles = (starts[:-1] + self.plan.n_left)[is_open]
        bounds = np.append(np.column_stack([starts[:-1][is_open], middles]).ravel(), starts[-1])
        both = accepts(Groups(bounds, rows[: bounds[-1]])).reshape(-1, 2).all(axis=1)
        kept = np.column_stack([np.ones_like(both), both]).ravel()
        tries = self._strode(self.tries[is_open], np.diff(self.offsets)[is_open])
        self.offsets = np.append(bounds[:-1][kept], bounds[-1])
        self.tries = np.where(np.repeat(both, 2), 0, np.repeat(tries, 2))[kept]

    def _strode(self, tries: Offsets, sizes: Offsets) -> Offsets:
        """The next attempts: in a large group not every cut of a column, but cuts ever farther from the median.

        If promises about values refuse one cut after the other, a group of n rows would otherwise be judged up to n
        times.
        """
        widest, n_columns = self.shape.widest, self.data.shape[0]
        first = self.shape.max_depth * n_columns * 2
        beyond = tries - first - 1
        further = np.minimum(tries + beyond % widest // _STRIDE, first + (beyond // widest + 1) * widest)
        is_far = (sizes > _EVERY_CUT) & (beyond >= 0) & (beyond < n_columns * widest) & self.rules.thorough
        return np.where(is_far, further, tries)

    def _share(self, work: Callable[[int, int], None]) -> None:
        """Do the work on all groups, on two threads if that pays."""
        middle = int(np.searchsorted(self.offsets, self.offsets[-1] // 2))
        if self.offsets[-1] < _WORTH_A_THREAD or not 0 < middle < self.n_groups:
            work(0, self.n_groups)
            return
        with ThreadPoolExecutor(2) as pool:
            list(pool.map(work, (0, middle), (middle, self.n_groups)))


def _geometry(table: Table) -> kernels.Geometry:
    """The columns' nested nodes and positions, flattened for the kernels."""
    nested = [column.recoding.nested for column in table.quasi]
    widths = np.array([tree.n_leaves for tree in nested], np.int64)
    return kernels.Geometry(
        node_low=np.concatenate([tree.low.ravel() for tree in nested]),
        node_high=np.concatenate([tree.high.ravel() for tree in nested]),
        at=np.cumsum([0] + [tree.low.size for tree in nested])[:-1],
        widths=widths,
        widest=int(widths.max()),
        points=np.concatenate([_positions(column) for column in table.quasi]),
        points_at=np.cumsum([0, *widths])[:-1],
        closes=np.array([column.recoding.closes_to_nodes for column in table.quasi]),
        max_depth=max(tree.n_levels for tree in nested),
    )


def _positions(column: QuasiColumn) -> Floats:
    """Positions of the leaves between 0 and 1, times the column's weight; missing is far away, to be cut off first."""
    domain, n = column.domain, column.domain.n_leaves
    places: Floats = np.arange(n) / max(1, n - 1)
    if column.recoding.has_width:
        present = domain.occurs & (np.arange(n) != domain.missing)
        least, most = domain.places[present].min(initial=np.inf), domain.places[present].max(initial=-np.inf)
        places = (domain.places - least) / (most - least) if most > least else np.zeros(n)
    if domain.missing is not None:
        places[domain.missing] = 2.0
    return places * column.weight
