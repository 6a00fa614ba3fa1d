"""The base class of models that require a minimal class size."""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar, Literal

from shoal.core.arrays import Floats
from shoal.core.contracts import GroupModel
from shoal.core.groups import Groups
from shoal.core.table import Table
from shoal.models.of_people import OfPeople, people_of


class LeastClassSize(GroupModel):
    """Every class has at least ``size`` rows or, counting people, rows of at least that many people."""

    reads: ClassVar[Literal["classes", "pools"]] = "classes"
    is_monotone: ClassVar[bool] = True
    is_about_size: ClassVar[bool] = True

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

    @property
    def grows_with_people(self) -> bool:
        """True: a larger group has no fewer people."""
        return True

    def measure_people(self, table: Table, groups: Groups) -> Floats:
        """The number of different people in each group."""
        return people_of(table, groups).astype(float)
