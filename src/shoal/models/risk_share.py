"""Risk share: at most a share s of the records has a re-identification risk above r."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from shoal.core.arrays import Offsets
from shoal.core.parameters import checked, positive_number, real_number
from shoal.core.table import Table
from shoal.models.class_sizes import ClassSizesModel
from shoal.models.largest_risk import least_size, refuse_risk_below
from shoal.models.parameters import two_numbers


@dataclass(frozen=True)
class RiskShare(ClassSizesModel):
    """At most the share ``s`` of the published records is in classes so small that their risk is above ``r``.

    Guarantee: a bound on how many records are at high risk, not on how high it is. With s = 0 it is LargestRisk(r).

    Threat model: the prosecutor of the literature, who knows a person's quasi-identifiers and that the person is in the
    table.

    People counted: the size of a class is its number of people; shares are shares of records.

    Without suppression, nodes above a feasible one are feasible, because classes only grow. With suppression they may
    not be: rows that could be suppressed alone may join others at risk, and together be too many.

    Cost: O(classes) to judge.

    Reference: El Emam 2013, Guide to the De-Identification of Personal Health Information.

    >>> str(RiskShare(0.2, 0.05))
    'risk above 0.2 for at most 0.05 of the records'
    """

    r: float = field(metadata=checked(positive_number, "The risk", most=1))
    s: float = field(metadata=checked(real_number, "The share of records", least=0, most=1))

    name: ClassVar[str] = "risk-share"
    flag: ClassVar[str] = "risk-share"
    summary: ClassVar[str] = "at most the share S of the records has a re-identification risk above R; written as R,S"

    @classmethod
    def parse(cls, text: str) -> RiskShare:
        """Parse ``0.2,0.05``: risk, share."""
        return cls(*two_numbers("risk-share", "0.2,0.05", text))

    @property
    def limit(self) -> float:
        """s."""
        return self.s

    @property
    def enough(self) -> int:
        """The size of classes whose records are not above the risk; 1 if all records may be above it."""
        return least_size(self.r) if self.s < 1 else 1

    @property
    def survives_union(self) -> bool:
        """True for rows: records of a union are in classes no smaller than before."""
        return not self.counts_people

    def is_upward(self, *, suppressing: bool) -> bool:
        """True only if no row may be suppressed."""
        return not suppressing

    def figure(self, sizes: Offsets, records: Offsets) -> float:
        """The share of records above the risk; 0 without records."""
        return int(records[sizes < least_size(self.r)].sum()) / max(1, int(records.sum()))

    def refuse(self, table: Table) -> None:
        """Refuse a risk below that of a single class of all rows, unless all records may be above it."""
        if self.s < 1:
            refuse_risk_below(self.r, table)

    def __str__(self) -> str:
        return f"risk above {self.r:g} for at most {self.s:g} of the records{self._counted()}"
