"""(k,1)-anonymity: every record fits at least k rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from shoal.models.degrees import DegreeModel


@dataclass(frozen=True)
class KOne(DegreeModel):
    """Each published record's cells hold the values of at least ``k`` rows of the table.

    Whoever looks at a record finds at least k people whose it may be (k-ambiguity). On its own it is weak: a row may
    fit no record but its own.

    Reference: Tassa, Mazza and Gionis 2012, k-Concealment (Definition 4).

    >>> str(KOne(5))
    '(5,1)-anonymity'
    """

    name: ClassVar[str] = "k-one-anonymity"
    flag: ClassVar[str] = "k-one"
    summary: ClassVar[str] = "every record fits at least K-ONE rows (weak alone: a row may fit only its own record)"
    of_rows: ClassVar[bool] = False

    def __str__(self) -> str:
        return f"({self.k},1)-anonymity"
