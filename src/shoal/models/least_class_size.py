"""What promises that every class has a least size share."""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar, Literal

from shoal.core.arrays import Floats
from shoal.core.contracts import GroupModel
from shoal.core.groups import Groups
from shoal.core.table import Table
from shoal.models.of_people import OfPeople, people_of


class LeastClassSize(GroupModel):
    """Every class has at least ``size`` rows; people counted, rows of so many different people."""

    reads: ClassVar[Literal["classes", "pools"]] = "classes"
    is_monotone: ClassVar[bool] = True
    is_about_size: ClassVar[bool] = True

    @property
    @abstractmethod
    def size(self) -> int:
        """The size a class has to reach."""

    @property
    def threshold(self) -> float:
        """The same."""
        return self.size

    @property
    def floor(self) -> int:
        """So many rows."""
        return self.size

    def measure(self, table: Table, groups: Groups) -> Floats:
        """The number of rows in each group."""
        return groups.sizes.astype(float)

    def of_people(self) -> OfPeople:
        """At least so many different people in every class."""
        return OfPeople(self)

    @property
    def grows_with_people(self) -> bool:
        """A larger group has no fewer people."""
        return True

    def measure_people(self, table: Table, groups: Groups) -> Floats:
        """The number of different people in each group."""
        return people_of(table, groups).astype(float)
