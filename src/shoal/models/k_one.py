"""(k,1)-anonymity: every record fits at least k rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from shoal.core.consistency import consistency_of
from shoal.core.contracts import PrivacyModel, Verdict
from shoal.core.parameters import whole_number
from shoal.core.release import Release
from shoal.core.table import Table
from shoal.models.enough_rows import refuse_more_than_rows
from shoal.models.graph_verdict import by_record, verdict


@dataclass(frozen=True)
class KOne(PrivacyModel):
    """Each published record's cells hold the values of at least ``k`` rows of the table.

    Whoever looks at a record finds at least k people whose it may be (k-ambiguity). On its own it is weak: a row may
    fit no record but its own.

    Reference: Tassa, Mazza and Gionis 2012, k-Concealment (Definition 4).

    >>> str(KOne(5))
    '(5,1)-anonymity'
    """

    k: int

    name: ClassVar[str] = "k-one-anonymity"
    flag: ClassVar[str] = "k-one"
    summary: ClassVar[str] = "every record fits at least K-ONE rows (weak alone: a row may fit only its own record)"

    def __post_init__(self) -> None:
        object.__setattr__(self, "k", whole_number("k", self.k, least=1))

    @classmethod
    def parse(cls, text: str) -> KOne:
        """From ``5``."""
        return cls(whole_number("k", text, least=1))

    @property
    def survives_union(self) -> bool:
        """More rows can only be more that fit."""
        return True

    def check(self, release: Release) -> Verdict:
        """Count the rows that fit each record."""
        graph = consistency_of(release)
        _, of_shapes = graph.fits
        return verdict(str(self), release, by_record(graph, None, of_shapes.astype(float)), self.k)

    def refuse(self, table: Table) -> None:
        """Refuse k above the number of rows."""
        refuse_more_than_rows(self.k, table)

    def __str__(self) -> str:
        return f"({self.k},1)-anonymity"
