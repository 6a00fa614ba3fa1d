"""Promises about matches, people being counted: who may be whose, where a person has several rows.

They are judged in classes. Everybody with a row in a class fits all its records, and some complete assignment gives
each of them any record of it, so a class in which enough people have rows, none of them too many, keeps promises that
count or weigh matches. Matches across classes could only add people; they are not relied on.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, Literal

from shoal.core.arrays import Floats
from shoal.core.contracts import Evidence, GroupModel, PrivacyModel
from shoal.core.groups import Groups
from shoal.core.linkage import HAIR
from shoal.core.table import Table
from shoal.errors import ImpossibleGoal, InputError
from shoal.models.of_people import needs_people, people_of, refuse_more_than


@dataclass(frozen=True)
class _InClasses(GroupModel):
    """A promise about matches that is kept in classes."""

    promise: PrivacyModel

    reads: ClassVar[Literal["classes", "pools"]] = "classes"
    is_monotone: ClassVar[bool] = True
    judges_people: ClassVar[bool] = True
    judged_by: ClassVar[tuple[Evidence, ...]] = ("original",)
    summary: ClassVar[str] = "a promise about matches, people being counted"
    flag: ClassVar[str] = ""

    @property
    def as_said(self) -> PrivacyModel:
        """The promise without people."""
        return self.promise

    def of_people(self) -> PrivacyModel:
        """This promise: people are counted already."""
        return self

    @classmethod
    def parse(cls, text: str) -> PrivacyModel:
        """It is not said: ``person`` makes it of every promise."""
        raise InputError("People are counted if person names the column that identifies the person of each row.")

    def __str__(self) -> str:
        return f"{self.promise} (people counted)"


@dataclass(frozen=True)
class PeopleMatched(_InClasses):
    """Every class has rows of at least ``k`` people: whoever has one there has matches with the records of them all."""

    k: int

    name: ClassVar[str] = "people-matched"
    is_growing: ClassVar[bool] = True
    is_about_people: ClassVar[bool] = True

    @property
    def threshold(self) -> float:
        """The people that a class needs."""
        return self.k

    @property
    def floor(self) -> int:
        """k rows."""
        return self.k

    def measure(self, table: Table, groups: Groups) -> Floats:
        """The number of different people in each group."""
        needs_people(self, table)
        return people_of(table, groups).astype(float)

    def refuse(self, table: Table) -> None:
        """Refuse k above the number of people."""
        refuse_more_than(self.k, table)


@dataclass(frozen=True)
class PeopleWeighed(_InClasses):
    """Nobody has more than the share ``p`` of the rows of a class: no record is theirs with a higher chance.

    Of a class with as many rows as m times those of the person with most, every row has m equally likely matches with
    records of different people. Monotone: a person's share of a union lies between those of the parts.
    """

    p: float

    name: ClassVar[str] = "people-weighed"

    @property
    def threshold(self) -> float:
        """Minus the share."""
        return -self.p * (1 + HAIR)

    @property
    def floor(self) -> int:
        """One row of each of the people that it takes."""
        return math.ceil(1 / self.p * (1 - HAIR))

    def measure(self, table: Table, groups: Groups) -> Floats:
        """Minus the largest share of one person. O(members)."""
        people = needs_people(self, table)
        tallies = table.tally(groups, people, table.n_people)
        return -tallies.largest(tallies.shares)

    def shown(self, measures: Floats) -> Floats:
        """The shares."""
        return -measures

    def refuse(self, table: Table) -> None:
        """Refuse a share that not even one class of all rows keeps, where the rows are at hand."""
        if table.people is None:
            return
        whole = -float(self.measure(table, Groups.whole(table.people.size))[0])
        if whole > -self.threshold:
            raise ImpossibleGoal(
                f"{self} cannot hold: one person has {whole:.2g} of all rows; ask for that or more, or leave out some "
                "of their rows."
            )
