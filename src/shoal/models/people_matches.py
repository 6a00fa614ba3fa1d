"""Models about matches that count people, for tables in which a person may have several rows.

They are judged in classes. Everybody with a row in a class fits all its records, and some complete assignment gives
each of them any record of it. So a class in which enough people have rows, and none of them too many, satisfies models
that count or weigh matches. Matches across classes could only add people; they are not relied on.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, Literal

from shoal.core.arrays import Floats
from shoal.core.contracts import Evidence, PrivacyModel
from shoal.core.groups import Groups
from shoal.core.linkage import HAIR
from shoal.core.table import Table
from shoal.errors import ImpossibleGoal
from shoal.models.of_people import PeopleCounted, needs_people, people_of, refuse_more_than


@dataclass(frozen=True)
class _InClasses(PeopleCounted):
    """A model about matches that is enforced in classes."""

    promise: PrivacyModel

    reads: ClassVar[Literal["classes", "pools"]] = "classes"
    is_monotone: ClassVar[bool] = True
    judged_by: ClassVar[tuple[Evidence, ...]] = ("original",)
    summary: ClassVar[str] = "a promise about matches, people being counted"


@dataclass(frozen=True)
class PeopleMatched(_InClasses):
    """Every class has rows of at least ``k`` people, so everybody in it matches records of at least ``k`` people."""

    k: int

    name: ClassVar[str] = "people-matched"
    is_growing: ClassVar[bool] = True
    is_about_people: ClassVar[bool] = True

    @property
    def threshold(self) -> float:
        """The number of people that a class needs."""
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
    """Nobody has more than the share ``p`` of the rows of a class: no record is theirs with a higher probability.

    If a class has m times as many rows as the person with the most rows in it, every row has m equally likely matches
    with records of different people. Monotone: a person's share of a union lies between those of the parts.
    """

    p: float

    name: ClassVar[str] = "people-weighed"
    negates: ClassVar[bool] = True

    @property
    def threshold(self) -> float:
        """Minus the share."""
        return -self.p * (1 + HAIR)

    @property
    def floor(self) -> int:
        """One row for each of the people it takes."""
        return math.ceil(1 / self.p * (1 - HAIR))

    def measure(self, table: Table, groups: Groups) -> Floats:
        """Minus the largest share of one person. O(members)."""
        people = needs_people(self, table)
        tallies = table.tally(groups, people, table.n_people)
        return -tallies.largest(tallies.shares)

    def refuse(self, table: Table) -> None:
        """Refuse a share that even a single class of all rows exceeds, if the rows are available."""
        if table.people is None:
            return
        whole = -float(self.measure(table, Groups.whole(table.people.size))[0])
        if whole > -self.threshold:
            raise ImpossibleGoal(
                f"{self} cannot hold: one person has {whole:.2g} of all rows; ask for that or more, or leave out some "
                "of their rows."
            )
