"""(k,k)-anonymity: every row fits at least k records and every record at least k rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from shoal.models.degrees import DegreeModel


@dataclass(frozen=True)
class KK(DegreeModel):
    """Both (1,k)- and (k,1)-anonymity.

    Enough against someone who knows some of the people. Whoever knows all of them can strike out records that others
    need: KConcealment holds against that.

    Reference: Tassa, Mazza and Gionis 2012, k-Concealment (Definition 4).

    >>> str(KK(5))
    '(5,5)-anonymity'
    """

    name: ClassVar[str] = "kk-anonymity"
    flag: ClassVar[str] = "kk"
    summary: ClassVar[str] = "every row fits at least KK records, and every record at least KK rows"

    def __str__(self) -> str:
        return f"({self.k},{self.k})-anonymity"
