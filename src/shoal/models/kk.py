"""(k,k)-anonymity: every row fits at least k records and every record at least k rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from shoal.models.match_degrees import DegreeModel


@dataclass(frozen=True)
class KK(DegreeModel):
    """Both (1,k)- and (k,1)-anonymity.

    Guarantee: every row fits at least k records, and every record at least k rows.

    Threat model: the adversary knows some of the people in the table. One who knows all of them can eliminate records
    that others must have: KConcealment protects against that.

    People counted: judged in classes: rows of at least ``k`` different people, all of whom fit all records of the
    class.

    Cost: O(distinct rows · columns · log + pairs that fit).

    Reference: Tassa, Mazza and Gionis 2012, k-Concealment: An Alternative Model of k-Type Anonymity (Definition 4).

    >>> str(KK(5))
    '(5,5)-anonymity'
    """

    name: ClassVar[str] = "kk-anonymity"
    flag: ClassVar[str] = "kk"
    summary: ClassVar[str] = "every row fits at least KK records, and every record at least KK rows"

    def __str__(self) -> str:
        return f"({self.k},{self.k})-anonymity"
