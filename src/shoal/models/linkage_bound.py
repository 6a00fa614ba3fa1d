"""Linkage bound: no match is likelier than p to someone who weighs all complete assignments equally."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from shoal.core.consistency import consistency_of
from shoal.core.contracts import Evidence, PrivacyModel, Verdict
from shoal.core.linkage import HAIR, WORK, glimpsed, linkage_of
from shoal.core.release import Release
from shoal.core.table import Table
from shoal.errors import ImpossibleGoal
from shoal.models.graph_verdict import by_record, verdict
from shoal.models.people_matches import PeopleWeighed
from shoal.models.spelling import positive_number


@dataclass(frozen=True)
class LinkageBound(PrivacyModel):
    """No row is tied to a record, nor a record to a row, with a chance above ``p``.

    The adversary knows everybody, sees which rows fit which records, and takes all complete assignments of records to
    rows for equally likely. Classes of k equal records keep it at 1 / k. It is the guard that (1,k)-, (k,k)-anonymity
    and k-concealment need: those count matches, this weighs them.

    The chances are exact in components in which everybody fits everything and in small ones. In others they are
    estimated with a margin, which is no proof: ``shoal.core.linkage`` says how far off that was found to be, and a
    verdict says for how many rows. Of m equal records none can be anybody's with more than 1 / m, estimated or not;
    where that is enough the verdict needs no estimate.

    O(matches · rounds) time at most, O(matches) memory.

    >>> str(LinkageBound(0.2))
    'linkage at most 0.2'
    """

    p: float

    name: ClassVar[str] = "linkage-bound"
    flag: ClassVar[str] = "linkage"
    summary: ClassVar[str] = (
        "no row is tied to a record with a chance above LINKAGE, all assignments being equally likely"
    )
    judged_by: ClassVar[tuple[Evidence, ...]] = ("original",)

    def __post_init__(self) -> None:
        object.__setattr__(self, "p", positive_number("p", self.p, 1.0))

    @classmethod
    def parse(cls, text: str) -> LinkageBound:
        """From ``0.2``."""
        return cls(positive_number("p", text, 1.0))

    @property
    def link_chance(self) -> float:
        """p."""
        return self.p

    def check(self, release: Release) -> Verdict:
        """Find the likeliest match of each row and of each record."""
        graph = consistency_of(release)
        is_shared = int(release.classes.sizes.min(initial=release.n_records)) * self.p >= 1 - HAIR
        found = glimpsed(release, WORK) if is_shared and graph.is_true.all() else linkage_of(release)
        measures = by_record(graph, -found.of_types, -found.of_shapes)
        judged = verdict(str(self), release, measures, -self.p * (1 + HAIR), sign=-1.0)
        n_estimated = 0 if is_shared else found.rows_by_method.get("estimated", 0)
        return replace(judged, judged_on=f"estimated for {n_estimated:,} rows") if n_estimated else judged

    def of_people(self) -> PeopleWeighed:
        """No record of a class is anybody's with a chance above p: nobody has a larger part of a class."""
        return PeopleWeighed(self, self.p)

    def refuse(self, table: Table) -> None:
        """Refuse a chance that not even one class of all rows keeps."""
        if self.p * table.n_rows < 1 - HAIR:
            raise ImpossibleGoal(
                f"A chance of at most {self.p:g} needs at least {1 / self.p:,.0f} rows, but the table has "
                f"{table.n_rows:,}; ask for {1 / table.n_rows:.2g} or more."
            )

    def __str__(self) -> str:
        return f"linkage at most {self.p:g}"
