"""k-map: every record fits at least k people of the population."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from shoal.core.arrays import Floats
from shoal.core.cells import Cells
from shoal.core.parameters import checked, whole_number
from shoal.core.table import Table
from shoal.errors import ImpossibleGoal
from shoal.models.population import PopulationModel, n_people, people_inside


@dataclass(frozen=True)
class KMap(PopulationModel):
    """The cells of every record cover at least ``k`` people of the population.

    Guarantee: an adversary who does not know who was sampled finds at least k people that a record may be about. Weaker
    than k-anonymity of the sample if the population is larger.

    Threat model: the journalist of the literature, who knows the quasi-identifiers of everybody in the population but
    not who is in the table.

    Monotone: the cells of a union cover all people that the cells of its parts cover.

    People counted: different people of the population inside the cells; if the population lacks the column
    ``person``, each of its rows is one person.

    Cost: O(classes · distinct people of the population · columns).

    Reference: Sweeney 2001, Computational Disclosure Control: A Primer on Data Privacy Protection.

    >>> str(KMap(5))
    '5-map'
    """

    k: int = field(metadata=checked(whole_number, "k", least=1))

    name: ClassVar[str] = "k-map"
    flag: ClassVar[str] = "k-map"
    is_monotone: ClassVar[bool] = True
    summary: ClassVar[str] = "every record fits at least K people of the population (--population)"

    @property
    def threshold(self) -> float:
        """k, the number of people that must fit."""
        return self.k

    def measure_cells(self, table: Table, cells: Sequence[Cells]) -> Floats:
        """The people of the population inside the cells."""
        return people_inside(table, cells).astype(float)

    def refuse(self, table: Table) -> None:
        """Refuse k above the number of people in the population."""
        if self.k > n_people(table):
            raise ImpossibleGoal(
                f"{self} needs at least {self.k:,} people, but the population has {n_people(table):,}; "
                f"ask for k of at most {n_people(table):,}."
            )

    def __str__(self) -> str:
        return f"{self.k}-map"
