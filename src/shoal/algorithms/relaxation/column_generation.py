"""Column generation: solve the linear program over groups, and round its solution to groups a few at a time."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from shoal.algorithms.relaxation.linear_program import LinearProgram
from shoal.algorithms.relaxation.node_costs import LevelCosts, paid, refuse_unnested, suppressed
from shoal.algorithms.relaxation.rounding_cuts import RoundingCuts
from shoal.core.arrays import Codes, Whole
from shoal.core.contracts import Algorithm, CellMetric, Goal, GroupModel, inner_algorithm
from shoal.core.goal_feasibility import require_possible
from shoal.core.groups import Groups
from shoal.core.parameters import real_number, whole_number
from shoal.core.progress import Progress
from shoal.core.randomness import Randomness
from shoal.core.release import Release
from shoal.core.table import Table
from shoal.errors import InputError
from shoal.kernels.compiled import working_time
from shoal.kernels.relaxation_rounding import cheapest_homes, fitting_together

_QUICK, _START = "mondrian:relaxed", 0.5
"""Prices start at this share of what the rows pay in a quick release."""

_SURE, _USED = 0.9, 0.02
"""Groups that are used this much are taken at once; others are not considered unless they are used at least so much."""

_SHARE, _FEWEST = 0.05, 20
"""The share of the rows that each step of rounding takes if there is time, and at least so many groups."""

_TURNS, _LOOK, _SLACK = 12, 3, 0.08
"""Turns of solving after each step, how often boxes are listed again, and within which share of the mean price."""

_JOINING = 0.015
"""The share of the rows that get no group of their own."""

_SETTLING = 12
"""Cycles without cuts at most."""

_ROUNDING = 0.4
"""The share of the time that is left for rounding."""


@dataclass(frozen=True)
class ColumnGeneration(Algorithm):
    """Solves the linear program that ``--certify`` bounds losses with, and rounds its solution to groups.

    The program may use groups in parts. ``rounds`` times, cuts are added that whole groups keep and its solution does
    not, so that it uses more groups as a whole. Then the groups that are used most become classes, a twentieth of the
    rows at a time, and the program is solved again for the other rows. The last rows get poor classes, so a search
    should follow: it soon loses less than from any other start. With ``seconds`` above 0, there are fewer rounds and
    larger steps if time is short, and the result depends on the speed of the machine.

    Adult (30,162 rows, nine columns), with a search, in 60 seconds on two cores: see ``docs/algorithms/refine.md``.

    Needs a hierarchy, or plain suppression, for every column, and promises about the size of classes only.

    Cost: O(distinct rows · nodes of the lattice) for each list of boxes, of which there are some 30; memory for some
    hundred thousand groups.

    Reference: Barnhart et al. 1998, Branch-and-Price: Column Generation for Solving Huge Integer Programs; Jepsen et
    al. 2008, Subset-Row Inequalities Applied to the Vehicle-Routing Problem with Time Windows, for the cuts.

    >>> import polars as pl
    >>> import shoal
    >>> table = pl.DataFrame({"zip": ["02139", "02138", "02142", "02141"], "sex": ["f", "f", "f", "m"]})
    >>> words = {"quasi_identifiers": ["zip", "sex"], "hierarchies": {"zip": "mask"}, "recodings": {"sex": "suppress"}}
    >>> release = shoal.anonymize(table, algorithm=shoal.ColumnGeneration(), privacy=shoal.KAnonymity(2), **words)
    >>> sorted(set(release.to_frame().rows()))
    [('0213*', 'f'), ('0214*', '*')]
    """

    rounds: int = 6
    seconds: float = 0.0

    name: ClassVar[str] = "column-generation"
    summary: ClassVar[str] = "solve a linear program over groups, and round it to groups (before a search of a minute)"
    serves = (GroupModel,)
    is_local: ClassVar[bool] = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "rounds", whole_number("rounds", self.rounds, least=0))
        object.__setattr__(self, "seconds", real_number("seconds", self.seconds, least=0))

    def refuse(self, table: Table, goal: Goal) -> None:
        """Refuse promises beyond size, metrics that are not sums over cells, and columns of ranges and sets."""
        super().refuse(table, goal)
        if not goal.is_about_size:
            raise InputError(
                f"The algorithm {self.name!r} can only promise sizes of classes, such as k; choose another."
            )
        if not isinstance(goal.metric, CellMetric) or not goal.metric.is_monotone:
            raise InputError(f"The algorithm {self.name!r} needs a cell-based metric such as lm; choose another.")
        refuse_unnested(table, f"The algorithm {self.name!r}")

    def run(self, table: Table, goal: Goal, randomness: Randomness, progress: Progress) -> Release:
        """Solve, cut, round, and give each class its smallest permitted cells."""
        self.refuse(table, goal)
        require_possible(table, goal)
        release = inner_algorithm(_QUICK).run(table, goal, randomness.child("quick"), progress)
        k = max(1, goal.floor)
        if k < 2 or release.n_records < table.n_rows:
            return release
        assert isinstance(goal.metric, CellMetric)
        rounding = _Rounding.of(table, goal.metric, k, paid(release, goal.metric), randomness, self)
        groups = rounding.run(progress)
        better = Release.from_groups(table, groups)
        return min(better, release, key=goal.metric.score)


@dataclass(eq=False)
class _Rounding:
    """The program, the groups taken so far as distinct rows with counts, and the time."""

    table: Table
    k: int
    program: LinearProgram
    plan: ColumnGeneration
    has_class: Codes
    taken: list[tuple[Codes, Codes]] = field(default_factory=list)
    began: float = field(default_factory=lambda: working_time())

    @classmethod
    def of(
        cls, table: Table, metric: CellMetric, k: int, pays: np.ndarray, randomness: Randomness, plan: ColumnGeneration
    ) -> _Rounding:
        """Equal rows that lose nothing, k or more, have a class of their own, which others of them may leave."""
        levels = LevelCosts.of(table, metric)
        has_class = levels.free(k) & (levels.weights >= k)
        most = np.where(has_class, 0.0, suppressed(table, metric))
        least = np.full(most.size, -float(most.max(initial=1.0)))
        cutting = RoundingCuts(levels.weights, k)
        program = LinearProgram(levels, k, _START * pays, least, most, randomness.child("program"), cutting)
        program.weights[has_class] -= k
        own = np.flatnonzero(has_class).astype(np.int32)
        taken = [(own[at : at + 1], np.array([k], np.int32)) for at in range(own.size)]
        return cls(table, k, program, plan, own, taken)

    @property
    def _spent(self) -> float:
        return working_time() - self.began

    @property
    def _left(self) -> int:
        """How many rows still need a class."""
        return int(self.program.weights[self.program.most > 0].sum())

    def run(self, progress: Progress) -> Groups:
        """Solve, cut and round."""
        program, n_cycles = self.program, _SETTLING + self.plan.rounds
        progress.stage("solving the linear program", n_cycles)
        step, n_cuts = 0.0, 0
        for cycle in range(n_cycles):
            is_settled = program.is_settled or cycle >= _SETTLING
            if (is_settled and n_cuts == self.plan.rounds) or self._left_after(step) < self._reserved:
                break
            since = self._spent
            if is_settled:
                program.cut()
                n_cuts += 1
            program.cycle(self._end - self._reserved)
            step = self._spent - since
            progress.advance()
        self._round(progress)
        return self._groups()

    @property
    def _end(self) -> float:
        """When the time is up."""
        return self.began + self.plan.seconds if self.plan.seconds else np.inf

    @property
    def _reserved(self) -> float:
        """The seconds that are left for rounding."""
        return _ROUNDING * self.plan.seconds

    def _left_after(self, step: float) -> float:
        """The seconds that are left after a step that takes so long; infinite without a limit."""
        return self._end - working_time() - step

    def _round(self, progress: Progress) -> None:
        """Take the groups that are used most, a few at a time, until no more are used or no time is left.

        The last rows would only form dear groups; they lose less if they join others.
        """
        program, step, took, before, left = self.program, 0, 0.0, np.inf, self._left
        few, program.fixed_price = _JOINING * left, program.price
        progress.stage("rounding", float(left))
        while few < left < before and self._left_after(took) >= 0:
            since, before = self._spent, left
            self._take(max(_FEWEST * self.k, int(self._share(left, took) * left)))
            left = self._left
            progress.advance(before - left)
            if step % _LOOK == 0 or left < _FEWEST * _FEWEST * self.k:
                program.look(_SLACK * program.price)
            program.solve(_TURNS, self._end)
            step, took = step + 1, self._spent - since

    def _take(self, enough: int) -> None:
        """Take the groups that are surely used, and others that fit until they have ``enough`` rows."""
        pool = self.program.pool
        order = np.argsort(-pool.uses, kind="stable")
        order = order[pool.uses[order] > _USED]
        if order.size:
            left = self.program.weights
            chosen = fitting_together(pool.starts, pool.rows, pool.counts, pool.uses, order, left, _SURE, enough)
            some = pool.chosen(chosen)
            ends = some.starts[1:-1]
            self.taken += zip(np.split(some.rows, ends), np.split(some.counts, ends), strict=True)
            self.program.take(chosen)

    def _share(self, left: int, step: float) -> float:
        """The share of the rows to take next, so that steps which take so long are done in time."""
        if not self.plan.seconds or step == 0:
            return _SHARE
        n_steps = self._left_after(0.0) / step
        end = min(1.0, _FEWEST * self.k / left)
        return max(_SHARE, 1.0 - end ** (1.0 / n_steps) if n_steps > 1 else 1.0)

    def _groups(self) -> Groups:
        """The groups of rows; equal rows are taken in their order, and rows that are left join where it costs least.

        Equal rows that are left over are a group of their own if they are k or more.
        """
        distinct, n_groups = self.table.distinct.ids, len(self.taken)
        rows = np.concatenate([np.zeros(0, np.int32), *(rows for rows, _ in self.taken)])
        counts = np.concatenate([np.zeros(0, np.int32), *(counts for _, counts in self.taken)])
        groups = np.repeat(np.arange(n_groups), [rows.size for rows, _ in self.taken])
        left = self.program.weights
        own = np.full(left.size, -1)
        own[self.has_class] = np.arange(self.has_class.size)
        over = np.flatnonzero(left)
        stray = over[own[over] < 0]
        homes = self._homes(np.repeat(groups, counts), np.repeat(rows, counts), np.repeat(stray, left[stray]))
        kept = over[own[over] >= 0]
        apart = np.flatnonzero(left[kept] >= self.k)
        own[kept[apart]] = n_groups + np.arange(apart.size)
        members = np.concatenate([np.repeat(rows, counts), np.repeat(kept, left[kept]), np.repeat(stray, left[stray])])
        at = np.concatenate([np.repeat(groups, counts), np.repeat(own[kept], left[kept]), homes])
        ids = np.empty(distinct.size, np.int32)
        ids[np.argsort(distinct, kind="stable")] = at[np.argsort(members, kind="stable")]
        return Groups.from_ids(ids, max(1, n_groups + apart.size))

    def _homes(self, groups: Whole, rows: Codes, stray: Whole) -> Whole:
        """The groups that rows without one join; all in one group if there is none."""
        if not groups.size:
            return np.zeros(stray.size, np.int64)
        members = np.column_stack([groups, rows]).astype(np.int64)
        lattice = self.program.levels.lattice
        return np.asarray(cheapest_homes(lattice, members, len(self.taken), stray.astype(np.int64)), np.int64)
