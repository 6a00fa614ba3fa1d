"""k-anonymity: every record shares its quasi-identifiers with at least k − 1 others."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, field
from typing import ClassVar, Literal

from shoal.core.arrays import Floats
from shoal.core.contracts import GroupModel
from shoal.core.groups import Groups
from shoal.core.parameters import checked, whole_number
from shoal.core.table import Table
from shoal.models.of_people import OfPeople, people_of, refuse_more_than


class LeastClassSize(GroupModel):
    """Every class has at least ``size`` rows or, counting people, rows of at least that many people."""

    reads: ClassVar[Literal["classes", "pools"]] = "classes"
    is_monotone: ClassVar[bool] = True
    is_about_size: ClassVar[bool] = True
    grows_with_people: ClassVar[bool] = True

    @property
    @abstractmethod
    def size(self) -> int:
        """The minimal size of a class."""

    @property
    def threshold(self) -> float:
        """The minimal size."""
        return self.size

    @property
    def floor(self) -> int:
        """The minimal size."""
        return self.size

    def measure(self, table: Table, groups: Groups) -> Floats:
        """The number of rows in each group."""
        return groups.sizes.astype(float)

    def of_people(self) -> OfPeople:
        """At least that many different people in every class."""
        return OfPeople(self)

    def measure_people(self, table: Table, groups: Groups) -> Floats:
        """The number of different people in each group."""
        return people_of(table, groups).astype(float)


@dataclass(frozen=True)
class KAnonymity(LeastClassSize):
    """Each combination of published quasi-identifiers occurs at least ``k`` times.

    Guarantee: an adversary who looks for a person finds at least k records that may be theirs, so a guess is right with
    a chance of at most 1 / k. It says nothing about sensitive values that these records have in common: combine it with
    LDiversity.

    Threat model: the adversary knows a person's quasi-identifiers and that the person is in the table, and nothing
    else.

    People counted: each combination is shared by the rows of at least ``k`` different people.

    Cost: O(records · columns) to count the classes.

    Reference: Samarati 2001, Protecting Respondents' Identities in Microdata Release; Ciriani et al. 2007, k-Anonymity
    (Definition 2.3).

    >>> str(KAnonymity(5))
    '5-anonymity'
    """

    k: int = field(metadata=checked(whole_number, "k", least=1))

    name: ClassVar[str] = "k-anonymity"
    flag: ClassVar[str] = "k"
    summary: ClassVar[str] = "every record shares its quasi-identifiers with at least K - 1 others"

    @property
    def size(self) -> int:
        """k."""
        return self.k

    def forbids(self, attack: str, about: str) -> bool:
        """Attacks that look for a person's record: at least k − 1 others have the same cells."""
        return self.k > 1 and attack in ("linking", "matching", "posterior")

    def refuse(self, table: Table) -> None:
        """Refuse k above the number of rows, or of people if they are counted."""
        refuse_more_than(self.k, table)

    def __str__(self) -> str:
        return f"{self.k}-anonymity"
