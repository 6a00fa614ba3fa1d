"""A privacy model on groups that counts people, for tables in which a person may have several rows."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Literal, Self

import numpy as np

from shoal.core.arrays import Codes, Floats, Offsets
from shoal.core.contracts import Evidence, GroupModel, PrivacyModel
from shoal.core.groups import Groups
from shoal.core.table import Table
from shoal.errors import ImpossibleGoal, InputError
from shoal.kernels.grouping import count_distinct

_FEW = 16
"""If a table has this many times more people than the groups have rows, the people are renumbered first."""


class PeopleCounted(GroupModel):
    """What another model becomes if people are counted."""

    promise: PrivacyModel

    flag: ClassVar[str] = ""
    judges_people: ClassVar[bool] = True

    @property
    def as_said(self) -> PrivacyModel:
        """The underlying model, which counts rows."""
        return self.promise

    def of_people(self) -> Self:
        """The model itself: it already counts people."""
        return self

    @classmethod
    def parse(cls, text: str) -> PrivacyModel:
        """Refuse: it has no text form, since ``person`` turns every model into it."""
        raise InputError("People are counted if person names the column that identifies the person of each row.")

    def __str__(self) -> str:
        return f"{self.promise} (people counted)"


@dataclass(frozen=True)
class OfPeople(PeopleCounted):
    """The ``promise`` about the people of every group: each model's ``measure_people`` says how they are counted.

    A person's rows may lie in several groups, so a union of two groups may have fewer people than the sum of both, and
    shares of people in it may lie outside the range of theirs. So this is monotone only if every superset of a group
    that satisfies the model satisfies it, as with a number of different people.
    """

    promise: GroupModel

    name: ClassVar[str] = "of-people"
    summary: ClassVar[str] = "the same promise, people being counted instead of rows"

    @property
    def reads(self) -> Literal["classes", "pools"]:  # type: ignore[override]
        """The groups that the underlying model judges."""
        return self.promise.reads

    @property
    def is_growing(self) -> bool:  # type: ignore[override]
        """True if the underlying model grows with people: it is then a number of people, and monotone."""
        return self.promise.grows_with_people

    is_about_people = is_monotone = is_growing

    @property
    def needs_original(self) -> bool:  # type: ignore[override]
        """Same as the underlying model."""
        return self.promise.needs_original

    @property
    def reads_printed(self) -> bool:  # type: ignore[override]
        """Same as the underlying model."""
        return self.promise.reads_printed

    @property
    def judged_by(self) -> tuple[Evidence, ...]:  # type: ignore[override]
        """The original table, which has the person of each row, and what the underlying model needs."""
        return tuple(dict.fromkeys(("original", *self.promise.judged_by)))

    @property
    def threshold(self) -> float:
        """Same as the underlying model."""
        return self.promise.threshold

    @property
    def floor(self) -> int:
        """As many rows as the underlying model needs: that many people have at least as many rows."""
        return self.promise.floor

    def about(self, table: Table, population: int | None) -> OfPeople:
        """The underlying model adapted to the table."""
        told = self.promise.about(table, population)
        return replace(self, promise=told) if isinstance(told, GroupModel) else self

    def measure(self, table: Table, groups: Groups) -> Floats:
        """One measure per group, counting people."""
        needs_people(self, table)
        return self.promise.measure_people(table, groups)

    def shown(self, measures: Floats) -> Floats:
        """Same as the underlying model."""
        return self.promise.shown(measures)

    def require_columns(self, table: Table) -> None:
        """Same as the underlying model."""
        self.promise.require_columns(table)

    def refuse(self, table: Table) -> None:
        """Refuse what the underlying model refuses, and what not even all people together satisfy."""
        self.promise.refuse(table)
        if self.is_growing and table.people is not None:
            whole = self.measure(table, Groups.whole(table.people.size))
            if whole[0] < self.threshold:
                most = float(self.shown(whole)[0])
                raise ImpossibleGoal(f"{self} cannot hold: all rows together achieve {most:g}; ask for less.")

    def forbids(self, attack: str, about: str) -> bool:
        """Same as the underlying model, and the attack by repeated people if linking is forbidden.

        The number of people in a class does not bound the probability that a record is somebody's: see
        ``linkage_bound``.
        """
        stands_for = {"repeated-people": "linking", "posterior": ""}
        return self.promise.forbids(stands_for.get(attack, attack), about)


def needs_people(promise: PrivacyModel, table: Table) -> Codes:
    """The person of each row.

    Raises:
        InputError: the table does not have it.
    """
    if table.people is None:
        raise InputError(f"{promise} needs to know the person of each row; name the column (person).")
    return table.people


def people_of(table: Table, groups: Groups) -> Offsets:
    """The number of different people in each group. O(members)."""
    assert table.people is not None
    rows, people, n_people = groups.members, table.people, table.n_people
    if _FEW * rows.size < n_people:
        known, numbers = np.unique(people[rows], return_inverse=True)
        rows, people, n_people = np.arange(rows.size, dtype=np.int32), numbers.astype(np.int32), known.size
    return np.asarray(count_distinct(groups.offsets, rows, people, n_people), np.int64)


def refuse_more_than(k: int, table: Table) -> None:
    """Refuse k above the number of people, or of rows if it is unknown whose they are.

    Raises:
        ImpossibleGoal: the message says the largest possible k.
    """
    what = "people" if table.counts_people else "rows"
    if k > table.n_people:
        raise ImpossibleGoal(
            f"k = {k:,} needs at least {k:,} {what}, but the table has {table.n_people:,}; "
            f"ask for k of at most {table.n_people:,}."
        )
