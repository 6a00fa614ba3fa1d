"""(k,k)-anonymity: every row fits at least k records and every record at least k rows."""

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
class KK(PrivacyModel):
    """Both (1,k)- and (k,1)-anonymity.

    Enough against someone who knows some of the people. Whoever knows all of them can strike out records that others
    need: KConcealment holds against that.

    Reference: Tassa, Mazza and Gionis 2012, k-Concealment (Definition 4).

    >>> str(KK(5))
    '(5,5)-anonymity'
    """

    k: int

    name: ClassVar[str] = "kk-anonymity"
    flag: ClassVar[str] = "kk"
    summary: ClassVar[str] = "every row fits at least KK records, and every record at least KK rows"

    def __post_init__(self) -> None:
        object.__setattr__(self, "k", whole_number("k", self.k, least=1))

    @classmethod
    def parse(cls, text: str) -> KK:
        """From ``5``."""
        return cls(whole_number("k", text, least=1))

    @property
    def survives_union(self) -> bool:
        """Rows and records of other parts can only be more that fit."""
        return True

    def check(self, release: Release) -> Verdict:
        """Count the records that each row fits and the rows that fit each record."""
        graph = consistency_of(release)
        of_types, of_shapes = graph.fits
        return verdict(str(self), release, by_record(graph, of_types.astype(float), of_shapes.astype(float)), self.k)

    def refuse(self, table: Table) -> None:
        """Refuse k above the number of rows."""
        refuse_more_than_rows(self.k, table)

    def __str__(self) -> str:
        return f"({self.k},{self.k})-anonymity"
