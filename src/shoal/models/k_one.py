"""(k,1)-anonymity: every record fits at least k rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from shoal.models.match_degrees import DegreeModel


@dataclass(frozen=True)
class KOne(DegreeModel):
    """The cells of each published record cover at least ``k`` rows of the table.

    Guarantee: an adversary who looks at a record finds at least k people it may belong to (k-ambiguity). On its own it
    is weak: a row may fit no record but its own.

    Threat model: the adversary knows everybody's quasi-identifiers and wants to know whose record this is, without
    eliminating people by looking at other records.

    People counted: judged in classes: rows of at least ``k`` different people, all of whom fit all records of the
    class.

    Cost: O(distinct rows · columns · log + pairs that fit).

    Reference: Tassa, Mazza and Gionis 2012, k-Concealment: An Alternative Model of k-Type Anonymity (Definition 4).

    >>> str(KOne(5))
    '(5,1)-anonymity'
    """

    name: ClassVar[str] = "k-one-anonymity"
    flag: ClassVar[str] = "k-one"
    summary: ClassVar[str] = "every record fits at least K-ONE rows (weak alone: a row may fit only its own record)"
    counts_rows: ClassVar[bool] = False

    def __str__(self) -> str:
        return f"({self.k},1)-anonymity"
