"""Whole histories: each person's rows together look like those of others."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import ClassVar

from shoal.algorithms.histories.alignment import ConstantWithinPeople, order_by, orders_of, sample_of_people, scrambled
from shoal.algorithms.histories.grouping import Choose, Grouped, group_people
from shoal.algorithms.histories.wide_promises import is_about_size
from shoal.core.arrays import Offsets
from shoal.core.contracts import Algorithm, Goal
from shoal.core.histories import histories_of
from shoal.core.progress import Progress, Silent
from shoal.core.randomness import Randomness
from shoal.core.release import Claim, Release
from shoal.core.table import Table
from shoal.errors import GoalNotMet, InputError
from shoal.models.k_anonymity import KAnonymity
from shoal.models.of_histories import OfHistories


@dataclass(frozen=True)
class WholeHistories(Algorithm):
    """Turn people into wide rows, group these with any algorithm that makes groups, and unfold them to rows again.

    A person with m rows becomes one wide row: columns that vary within nobody appear once, the others m times.
    ``choose`` selects the algorithm for each number of rows. Then the i-th rows of the people in a group share the
    smallest permitted cells, so that their histories are published alike; a column that is constant within a person
    stays so unless others in the group vary.

    Numbers of rows that too few people have are reduced to a smaller number: these people give up rows, which count as
    suppressed and never exceed the goal's limit. Which of a person's rows is the i-th can be chosen freely, because the
    release does not show it: rows are ordered by the column with which a sample of people loses least. If promises
    about sensitive values cannot be kept that way, a random order is tried, in which no place says anything about them.

    Time and memory are the algorithm's on the wide tables, of at most 96 columns; people with longer histories are
    compared at that many places.
    """

    choose: Choose = field(repr=False)
    trial: Algorithm
    inner: str = "auto"
    column: int | None = None
    """The column to order rows by, if known beforehand."""
    of_rows: int = 0
    """The number of rows of the whole table, if this runs on blocks of its people."""

    name: ClassVar[str] = "whole-histories"
    summary: ClassVar[str] = "people as wide rows, grouped by another algorithm"
    serves = (OfHistories,)
    keeps_people_together: ClassVar[bool] = True

    def claims(self, table: Table, goal: Goal) -> tuple[Claim, ...]:
        """Claim that columns that never vary within a person are published without variation."""
        return (*super().claims(table, goal), ConstantWithinPeople())

    def run(self, table: Table, goal: Goal, randomness: Randomness, progress: Progress) -> Release:
        """Align, group people, unfold.

        Raises:
            InputError: the table does not identify people.
        """
        if table.people is None:
            raise InputError("Histories need to know the person of each row; name the column (person).")
        progress.stage("aligning histories")
        column = self.best_column(table, goal, randomness.child("sample")) if self.column is None else self.column
        try:
            return self._made(table, order_by(table, column), goal, randomness, progress)
        except GoalNotMet:
            if all(map(is_about_size, goal.promises)):
                raise
            return self._made(table, scrambled(table, randomness.child("order")), goal, randomness, progress)

    def _made(self, table: Table, order: Offsets, goal: Goal, randomness: Randomness, progress: Progress) -> Release:
        histories = histories_of(table, order)
        grouped = group_people(histories, goal, self.choose, randomness, progress, self.of_rows)
        (rows,) = histories.unfold(grouped.groups, grouped.forms)
        release = Release.from_groups(table, rows)
        for promise in goal.promises:
            if not is_about_size(promise) and not promise.check(release).holds:
                raise GoalNotMet(f"No grouping of people was found in which {promise} holds; ask for less.")
        return replace(release, account=told(grouped, goal))

    def best_column(self, table: Table, goal: Goal, randomness: Randomness) -> int:
        """The column to order rows by: the one with which a sample of people loses least."""
        columns = list(orders_of(table))
        if len(columns) == 1:
            return columns[0]
        some = sample_of_people(table, randomness)
        sizes = replace(goal, promises=tuple(p for p in goal.promises if is_about_size(p)) or (_ANYBODY,))
        sizes = replace(sizes, suppression_limit=1.0)
        quick = replace(self, choose=lambda wide, asked, share: self.trial)
        losses = {
            column: goal.metric.score(quick._made(some, order_by(some, column), sizes, randomness, Silent()))
            for column in columns
        }
        return min(columns, key=lambda column: losses[column])


_ANYBODY = OfHistories(KAnonymity(2))


def told(grouped: Grouped, goal: Goal) -> tuple[str, ...]:
    """A sentence on the rows given up to equalize numbers of rows, if any."""
    fit = grouped.fit
    if not fit.n_lost:
        return ()
    left_out = int((fit.of_person < 0).sum())
    people = f", {left_out:,} people with all of theirs" if left_out else ""
    return (
        f"{fit.n_lost:,} rows were left out because too few people have that many rows{people}; people were grouped by "
        f"{len(fit.places):,} numbers of rows.",
    )
