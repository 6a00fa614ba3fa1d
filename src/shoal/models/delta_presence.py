"""δ-presence: no adversary can be too sure that a person is in the sample."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from shoal.core.arrays import Floats
from shoal.core.cells import Cells
from shoal.core.contracts import Evidence
from shoal.core.parameters import checked, real_number
from shoal.core.table import Table
from shoal.errors import ImpossibleGoal, InputError
from shoal.models.population import PopulationModel, n_people, people_inside, rows_inside


@dataclass(frozen=True)
class DeltaPresence(PopulationModel):
    """Of the people in the population covered by the cells of a class, at most the share ``delta`` is in the table.

    Guarantee: an adversary learns with a probability of at most delta that a person is in the table (a disease
    register, for example). Differs from the paper, which also has a lower bound: that a person is *not* in the table is
    not limited here.

    Threat model: the adversary knows the quasi-identifiers of everybody in the population and wants to know who is in
    the table.

    Not monotone: the cells of a union may cover a region where everybody was sampled.

    People counted: different people in the table as a share of the different people of the population inside the
    cells; if the population lacks the column ``person``, each of its rows is one person.

    Cost: O(classes · distinct people of the population · columns).

    Reference: Nergiz, Atzori and Clifton 2007, Hiding the Presence of Individuals from Shared Databases.

    >>> str(DeltaPresence(0.5))
    '0.5-presence'
    """

    delta: float = field(metadata=checked(real_number, "delta", least=0, most=1))

    name: ClassVar[str] = "delta-presence"
    flag: ClassVar[str] = "presence"
    summary: ClassVar[str] = (
        "of the people of the population who fit a class, at most this share is in the table (--population)"
    )
    negates: ClassVar[bool] = True
    judged_by: ClassVar[tuple[Evidence, ...]] = ("original", "population")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.delta == 0:
            raise InputError("delta must be above 0, got 0; with 0 nobody could be published.")

    @property
    def threshold(self) -> float:
        """Minus delta."""
        return -self.delta

    def measure_cells(self, table: Table, cells: Sequence[Cells]) -> Floats:
        """Minus the share of the table's people among the population inside the cells, as if it had at least one."""
        return -np.asarray(rows_inside(table, cells) / np.maximum(people_inside(table, cells), 1))

    def refuse(self, table: Table) -> None:
        """Refuse a delta below the share of the sample in the population."""
        share = table.n_people / n_people(table)
        what = "rows" if table.people is None else "people"
        if share > self.delta:
            raise ImpossibleGoal(
                f"{self} cannot hold: {table.n_people:,} {what} are {share:.3g} of the {n_people(table):,} people; "
                "give the population they are a sample of, or ask for a larger share."
            )

    def __str__(self) -> str:
        return f"{self.delta:g}-presence"
