"""Sample uniqueness: at most a share u of the published records is unique."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from shoal.core.arrays import Offsets
from shoal.core.parameters import checked, real_number
from shoal.core.table import Table
from shoal.errors import ImpossibleGoal
from shoal.models.class_sizes import ClassSizesModel


@dataclass(frozen=True)
class SampleUniqueness(ClassSizesModel):
    """At most the share ``u`` of the records is alone in its class.

    Guarantee: a bound on the number of unique records. It says nothing about classes of two, where an adversary who
    knows that a person is in the table guesses right half of the time. With u = 0 it is 2-anonymity.

    Threat model: the adversary knows a person's quasi-identifiers and looks for records that are unique.

    People counted: a record is unique if all records of its class belong to one person.

    Nodes above a feasible one are feasible: a row that is unique there is also unique below.

    Cost: O(classes) to judge.

    Reference: Skinner and Elliot 2002, A Measure of Disclosure Risk for Microdata.

    >>> str(SampleUniqueness(0.01))
    'sample uniqueness 0.01'
    """

    u: float = field(metadata=checked(real_number, "Sample uniqueness", least=0, most=1))

    name: ClassVar[str] = "sample-uniqueness"
    flag: ClassVar[str] = "sample-uniqueness"
    summary: ClassVar[str] = "at most the share U of the records is alone in its class"

    @property
    def limit(self) -> float:
        """u."""
        return self.u

    @property
    def enough(self) -> int:
        """2: no class is a single record."""
        return 2 if self.u < 1 else 1

    @property
    def survives_union(self) -> bool:
        """True for rows: a record that is unique in a union is unique in its part."""
        return not self.counts_people

    def is_upward(self, *, suppressing: bool) -> bool:
        """Yes, as explained above, for rows; merging classes may bring together rows of one person."""
        return not self.counts_people

    def figure(self, sizes: Offsets, records: Offsets) -> float:
        """The share of unique records; 0 without records."""
        return int(records[sizes == 1].sum()) / max(1, int(records.sum()))

    def refuse(self, table: Table) -> None:
        """Refuse a table of one person, whose records are always unique."""
        if table.n_people == 1 and self.u < 1:
            raise ImpossibleGoal(f"{self} cannot hold: a table of one person has only unique records.")

    def __str__(self) -> str:
        return f"sample uniqueness {self.u:g}{self._counted()}"
