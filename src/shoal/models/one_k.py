"""(1,k)-anonymity: every row fits at least k records."""

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
class OneK(PrivacyModel):
    """Each row of the table lies inside the cells of at least ``k`` published records.

    Whoever looks for a person finds at least k records that may be theirs. On its own it is weak: a few records that
    hold everybody keep it while all others are published as they are. KConcealment counts only records that can
    really be the person's, and LinkageBound bounds how likely any of them is.

    Reference: Tassa, Mazza and Gionis 2012, k-Concealment (Definition 4).

    >>> str(OneK(5))
    '(1,5)-anonymity'
    """

    k: int

    name: ClassVar[str] = "one-k-anonymity"
    flag: ClassVar[str] = "one-k"
    summary: ClassVar[str] = "every row fits at least ONE-K records (weak alone: a few starred records keep it)"

    def __post_init__(self) -> None:
        object.__setattr__(self, "k", whole_number("k", self.k, least=1))

    @classmethod
    def parse(cls, text: str) -> OneK:
        """From ``5``."""
        return cls(whole_number("k", text, least=1))

    @property
    def survives_union(self) -> bool:
        """More records can only be more to fit."""
        return True

    def check(self, release: Release) -> Verdict:
        """Count the records that each row fits."""
        graph = consistency_of(release)
        of_types, _ = graph.fits
        return verdict(str(self), release, by_record(graph, of_types.astype(float), None), self.k)

    def refuse(self, table: Table) -> None:
        """Refuse k above the number of rows."""
        refuse_more_than_rows(self.k, table)

    def __str__(self) -> str:
        return f"(1,{self.k})-anonymity"
