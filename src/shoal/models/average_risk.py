"""Average risk: the mean of the records' re-identification risks is at most r."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from shoal.core.arrays import Offsets
from shoal.core.parameters import checked, positive_number
from shoal.core.table import Table
from shoal.models.class_sizes import ClassSizesModel
from shoal.models.largest_risk import least_size, refuse_risk_below


@dataclass(frozen=True)
class AverageRisk(ClassSizesModel):
    """The average re-identification risk of the records, which is classes / records, is at most ``r``.

    Guarantee: if an adversary matches everybody to a record, at most the share r of the matches is expected to be
    right. Single records may have any risk: combine it with LargestRisk.

    Threat model: the marketer of the literature, who knows everybody's quasi-identifiers and cares about the number of
    correct matches, not about anyone in particular.

    People counted: the risk of a record is 1 / (people in its class).

    In a lattice, the smallest classes are suppressed first. Nodes above a feasible one are feasible: every class there
    contains one that was published, so there are no more classes for no fewer rows.

    Cost: O(classes) to judge.

    Reference: Dankar and El Emam 2010, A Method for Evaluating Marketer Re-identification Risk.

    >>> AverageRisk(0.5).figure(np.array([1, 3]), np.array([1, 3]))
    0.5
    """

    r: float = field(metadata=checked(positive_number, "The average risk", most=1))

    name: ClassVar[str] = "average-risk"
    flag: ClassVar[str] = "average-risk"
    summary: ClassVar[str] = "the average re-identification risk of the records is at most R (marketer risk)"

    @property
    def limit(self) -> float:
        """r."""
        return self.r

    @property
    def enough(self) -> int:
        """The size of classes whose records have at most that risk."""
        return least_size(self.r)

    @property
    def survives_union(self) -> bool:
        """The union of two releases has no more classes than both, for as many records."""
        return not self.counts_people

    def is_upward(self, *, suppressing: bool) -> bool:
        """Yes, as explained above, for rows; a class may have fewer people than its parts together."""
        return not self.counts_people

    def figure(self, sizes: Offsets, records: Offsets) -> float:
        """The mean risk; 0 without records."""
        return float(np.sum(records / sizes)) / max(1, int(records.sum()))

    def refuse(self, table: Table) -> None:
        """Refuse an average below the risk in a single class of all rows."""
        refuse_risk_below(self.r, table)

    def __str__(self) -> str:
        return f"average risk {self.r:g}{self._counted()}"
