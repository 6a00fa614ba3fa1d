"""A promise about groups in which people are counted, where a person may have several rows."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Literal

import numpy as np

from shoal.core.arrays import Codes, Floats, Offsets
from shoal.core.contracts import Evidence, GroupModel, PrivacyModel
from shoal.core.groups import Groups
from shoal.core.table import Table
from shoal.errors import ImpossibleGoal, InputError
from shoal.kernels.grouping import count_distinct

_FEW = 16
"""Where a table has so many times more people than groups have rows, going through all people would cost more."""


@dataclass(frozen=True)
class OfPeople(GroupModel):
    """The ``promise`` about the people of every group: each model's ``measure_people`` says how they are counted.

    A person's rows may lie in several groups, so a union of two groups may have fewer people than they have together,
    and shares of people in it may lie outside theirs. So it is monotone only where it grows: where a group that
    contains one that keeps the promise always keeps it, as with a number of different people.
    """

    promise: GroupModel

    name: ClassVar[str] = "of-people"
    flag: ClassVar[str] = ""
    summary: ClassVar[str] = "the same promise, people being counted instead of rows"
    judges_people: ClassVar[bool] = True

    @property
    def reads(self) -> Literal["classes", "pools"]:  # type: ignore[override]
        """The groups that the promise is about."""
        return self.promise.reads

    @property
    def is_growing(self) -> bool:  # type: ignore[override]
        """As the promise says of people."""
        return self.promise.grows_with_people

    @property
    def is_about_people(self) -> bool:  # type: ignore[override]
        """Where it grows: the promise is a number of people."""
        return self.promise.grows_with_people

    @property
    def is_monotone(self) -> bool:  # type: ignore[override]
        """Where it grows."""
        return self.promise.grows_with_people

    @property
    def needs_original(self) -> bool:  # type: ignore[override]
        """As the promise."""
        return self.promise.needs_original

    @property
    def reads_printed(self) -> bool:  # type: ignore[override]
        """As the promise."""
        return self.promise.reads_printed

    @property
    def judged_by(self) -> tuple[Evidence, ...]:  # type: ignore[override]
        """The table that says whose row each row is, and what the promise needs besides."""
        return tuple(dict.fromkeys(("original", *self.promise.judged_by)))

    @property
    def threshold(self) -> float:
        """As the promise."""
        return self.promise.threshold

    @property
    def floor(self) -> int:
        """As many rows as the promise needs: that many people have no fewer."""
        return self.promise.floor

    @property
    def as_said(self) -> PrivacyModel:
        """The promise without people."""
        return self.promise

    def of_people(self) -> OfPeople:
        """This promise: people are counted already."""
        return self

    def about(self, table: Table, population: int | None) -> OfPeople:
        """As the promise."""
        told = self.promise.about(table, population)
        return replace(self, promise=told) if isinstance(told, GroupModel) else self

    def measure(self, table: Table, groups: Groups) -> Floats:
        """One number per group, people being counted."""
        needs_people(self, table)
        return self.promise.measure_people(table, groups)

    def shown(self, measures: Floats) -> Floats:
        """As the promise."""
        return self.promise.shown(measures)

    def require_columns(self, table: Table) -> None:
        """As the promise."""
        self.promise.require_columns(table)

    def refuse(self, table: Table) -> None:
        """What the promise refuses, and what not even all people together can keep."""
        self.promise.refuse(table)
        if self.is_growing and table.people is not None:
            whole = self.measure(table, Groups.whole(table.people.size))
            if whole[0] < self.threshold:
                most = float(self.shown(whole)[0])
                raise ImpossibleGoal(f"{self} cannot hold: all rows together achieve {most:g}; ask for less.")

    def forbids(self, attack: str, about: str) -> bool:
        """As the promise; and what counts the people of classes, where it is about people's records.

        How likely a record is somebody's is not bounded by how many people are in its class: see ``linkage_bound``.
        """
        stands_for = {"repeated-people": "linking", "posterior": ""}
        return self.promise.forbids(stands_for.get(attack, attack), about)

    @classmethod
    def parse(cls, text: str) -> PrivacyModel:
        """It is not said: ``person`` makes it of every promise."""
        raise InputError("People are counted if person names the column that identifies the person of each row.")

    def __str__(self) -> str:
        return f"{self.promise} (people counted)"


def needs_people(promise: PrivacyModel, table: Table) -> Codes:
    """Whose row each row is.

    Raises:
        InputError: the table does not tell.
    """
    if table.people is None:
        raise InputError(f"{promise} needs to know the person of each row; name the column (person).")
    return table.people


def people_of(table: Table, groups: Groups) -> Offsets:
    """The number of different people in each group. O(members)."""
    assert table.people is not None
    rows, people, n_people = groups.members, table.people, table.n_people
    if _FEW * rows.size < n_people:
        rows, people, n_people = _renumbered(people[rows])
    return np.asarray(count_distinct(groups.offsets, rows, people, n_people), np.int64)


def _renumbered(people: Codes) -> tuple[Codes, Codes, int]:
    """The rows and people of few members, numbered anew."""
    known, numbers = np.unique(people, return_inverse=True)
    return np.arange(people.size, dtype=np.int32), numbers.astype(np.int32), known.size


def refuse_more_than(k: int, table: Table) -> None:
    """Refuse k above the number of people, which is that of rows where nothing says whose they are.

    Raises:
        ImpossibleGoal: with the most that can be asked for.
    """
    what = "people" if table.counts_people else "rows"
    if k > table.n_people:
        raise ImpossibleGoal(
            f"k = {k:,} needs at least {k:,} {what}, but the table has {table.n_people:,}; "
            f"ask for k of at most {table.n_people:,}."
        )
