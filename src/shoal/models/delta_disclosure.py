"""δ-disclosure privacy: no sensitive value is much more or less frequent in a pool than in the table."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from shoal.core.arrays import Floats
from shoal.core.parameters import checked, positive_number
from shoal.core.table import SensitiveColumn
from shoal.core.tallies import Tallies
from shoal.models.sensitive import SensitiveModel, beyond, whole_rows


@dataclass(frozen=True)
class DeltaDisclosure(SensitiveModel):
    """For every value of the column, |log2(share in the pool / share in the table)| is below ``delta``.

    Guarantee: no value becomes much more or much less likely for anyone. A value that is absent from a pool is
    infinitely rarer, so every pool must have every value; ARX ignores absent values.

    Threat model: the adversary knows a person's quasi-identifiers, that the person is in the table, and the overall
    distribution of the sensitive column, including suppressed rows.

    People counted: shares are shares of people; a person with several values counts for each of them.

    Monotone: each value has an upper and a lower bound on its share in a group, and the share in a union lies between
    the shares in its parts.

    Cost: O(members · sensitive columns).

    Reference: Brickell and Shmatikov 2008, The Cost of Privacy: Destruction of Data-Mining Utility in Anonymized Data
    Publishing.

    >>> str(DeltaDisclosure(0.5))
    '0.5-disclosure privacy'
    """

    delta: float = field(metadata=checked(positive_number, "delta"))

    name: ClassVar[str] = "delta-disclosure"
    flag: ClassVar[str] = "delta"
    summary: ClassVar[str] = (
        "among the records that may belong to a person, each sensitive value is less than DELTA bits more or less "
        "frequent than in the table; DELTA or DELTA:column"
    )
    is_monotone: ClassVar[bool] = True
    negates: ClassVar[bool] = True
    needs_original: ClassVar[bool] = True

    @property
    def threshold(self) -> float:
        """Just above minus delta."""
        return math.nextafter(-self.delta, math.inf)

    def judge(self, column: SensitiveColumn, tallies: Tallies) -> Floats:
        """Minus the largest absolute logarithm of each group. O(entries)."""
        totals = column.domain.counts.astype(np.float64)
        sizes = tallies.sizes[tallies.owners]
        ratios = np.abs(np.log2(tallies.counts * float(column.whole) / (totals[tallies.values] * sizes)))
        lacking = np.diff(tallies.offsets) < int(column.domain.occurs.sum())
        return np.where(lacking, -np.inf, -tallies.largest(ratios))

    def doomed(self, column: SensitiveColumn, tallies: Tallies) -> Floats:
        """The bound from each value's largest and smallest allowed share; all rows if a value is absent."""
        before = (column.domain.counts / column.whole)[tallies.values]
        sizes = tallies.sizes[tallies.owners]
        above = beyond(tallies.shares, np.minimum(before * 2.0**self.delta, 1.0), 1.0, sizes)
        below = whole_rows(np.maximum(0.0, 1 - tallies.shares / (before * 2.0**-self.delta)) * sizes)
        lacking = np.diff(tallies.offsets) < int(column.domain.occurs.sum())
        return np.where(lacking, tallies.sizes, tallies.largest(np.maximum(above, below)))

    def __str__(self) -> str:
        return f"{self.delta:g}-disclosure privacy{self._about()}"
