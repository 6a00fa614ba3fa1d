"""(1,k)-anonymity: every row fits at least k records."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from shoal.models.match_degrees import DegreeModel


@dataclass(frozen=True)
class OneK(DegreeModel):
    """Each row of the table lies inside the cells of at least ``k`` published records.

    Guarantee: an adversary who looks for a person finds at least k records that may be theirs. On its own it is weak: a
    few records that cover everybody satisfy it while all others are published unchanged. KConcealment counts only
    records that can really belong to the person, and LinkageBound limits how likely any of them is.

    Threat model: the adversary knows one person's quasi-identifiers, and nothing about the other people.

    People counted: judged in classes: rows of at least ``k`` different people, all of whom fit all records of the
    class.

    Cost: O(distinct rows · columns · log + pairs that fit).

    Reference: Tassa, Mazza and Gionis 2012, k-Concealment: An Alternative Model of k-Type Anonymity (Definition 4).

    >>> str(OneK(5))
    '(1,5)-anonymity'
    """

    name: ClassVar[str] = "one-k-anonymity"
    flag: ClassVar[str] = "one-k"
    summary: ClassVar[str] = "every row fits at least ONE-K records (weak alone: a few suppressed records satisfy it)"
    counts_records: ClassVar[bool] = False

    def __str__(self) -> str:
        return f"(1,{self.k})-anonymity"
