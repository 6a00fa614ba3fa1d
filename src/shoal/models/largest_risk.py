"""Largest risk: the probability of finding a person's record, by guessing within its class, is at most r."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from shoal.core.arrays import Floats
from shoal.core.parameters import checked, positive_number
from shoal.core.table import Table
from shoal.errors import ImpossibleGoal
from shoal.models.k_anonymity import KAnonymity


@dataclass(frozen=True)
class LargestRisk(KAnonymity):
    """The re-identification risk of every record, 1 / (size of its class), is at most ``r``.

    Guarantee: k-anonymity with the smallest k for which 1 / k is at most r. A risk of 0.09 requires classes of 12,
    because 1 / 11 is slightly more than 0.09. Every algorithm that supports k-anonymity supports it.

    Threat model: the prosecutor of the literature, who knows a person's quasi-identifiers and that the person is in the
    table.

    People counted: the risk is 1 / (people in the class).

    Cost: that of k-anonymity, O(records · columns).

    Reference: El Emam and Dankar 2008, Protecting Privacy Using k-Anonymity; the threshold of 0.09 is that of the
    European Medicines Agency (policy 0070).

    >>> LargestRisk(0.09).k, str(LargestRisk(0.09))
    (12, 'largest risk 0.09 (12-anonymity)')
    """

    r: float = field(metadata=checked(positive_number, "The largest risk", most=1))
    k: int = field(init=False, repr=False, compare=False)

    name: ClassVar[str] = "largest-risk"
    flag: ClassVar[str] = "largest-risk"
    summary: ClassVar[str] = "no record has a re-identification risk above R; 0.09 requires classes of 12"

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "k", least_size(self.r))

    def shown(self, measures: Floats) -> Floats:
        """The risks."""
        return np.asarray(1.0 / measures, np.float64)

    def refuse(self, table: Table) -> None:
        """Refuse a risk below that of a single class of all rows."""
        refuse_risk_below(self.r, table)

    def __str__(self) -> str:
        return f"largest risk {self.r:g} ({self.k}-anonymity)"


def least_size(risk: float) -> int:
    """The smallest class whose records have at most this risk.

    >>> [least_size(risk) for risk in (0.09, 0.05, 1 / 3, 0.33, 1)]
    [12, 20, 3, 4, 1]
    """
    return max(1, math.ceil(1 / risk - 1e-9))


def refuse_risk_below(risk: float, table: Table) -> None:
    """Refuse a risk that even a single class of all rows exceeds.

    Raises:
        ImpossibleGoal: the message says the least risk that is possible.
    """
    what = "people" if table.counts_people else "rows"
    if least_size(risk) > table.n_people:
        raise ImpossibleGoal(
            f"A risk of {risk:g} needs at least {least_size(risk):,} {what}, but the table has {table.n_people:,}; "
            f"ask for {math.ceil(1e4 / max(1, table.n_people)) / 1e4:g} or more."
        )
