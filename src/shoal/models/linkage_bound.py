"""Linkage bound: no match has a probability above p if all complete assignments are equally likely."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import ClassVar

import numpy as np

from shoal.core.consistency import consistency_of
from shoal.core.contracts import Evidence, PrivacyModel, Verdict
from shoal.core.linkage import HAIR, WORK, glimpsed, linkage_of
from shoal.core.parameters import checked, positive_number
from shoal.core.release import Release
from shoal.core.table import Table
from shoal.errors import ImpossibleGoal
from shoal.models.match_degrees import graph_verdict
from shoal.models.people_matches import PeopleWeighed


@dataclass(frozen=True)
class LinkageBound(PrivacyModel):
    """No row is linked to a record, nor a record to a row, with a chance above ``p``.

    Guarantee: a bound on the adversary's confidence in any link. Classes of k equal records keep it at 1 / k. (1,k)-
    and (k,k)-anonymity and k-concealment need it in addition: they count matches, this weighs them.

    Threat model: the adversary knows the quasi-identifiers of all people in the table, sees which rows fit which
    records, and considers all complete assignments of records to rows equally likely.

    Chances are exact in small components and in those where everybody fits everything. In others they are estimated
    with a margin, which is not a proof: ``shoal.core.linkage`` says how far off estimates were found to be, and a
    verdict says for how many rows they were used. Among m equal records none can belong to anyone with a chance above 1
    / m, estimated or not; if that is enough, the verdict needs no estimate.

    People counted: judged in classes: nobody owns more than the share ``p`` of the rows of a class.

    Cost: at most O(matches · rounds) time, O(matches) memory.

    Reference: the chances are those of Tassa, Mazza and Gionis 2012, k-Concealment: An Alternative Model of k-Type
    Anonymity (section 5.2); the bound is our own.

    >>> str(LinkageBound(0.2))
    'linkage at most 0.2'
    """

    p: float = field(metadata=checked(positive_number, "p", most=1))

    name: ClassVar[str] = "linkage-bound"
    flag: ClassVar[str] = "linkage"
    summary: ClassVar[str] = (
        "no row is linked to a record with a chance above LINKAGE, if all assignments are equally likely"
    )
    judged_by: ClassVar[tuple[Evidence, ...]] = ("original",)

    @property
    def link_chance(self) -> float:
        """p."""
        return self.p

    def check(self, release: Release) -> Verdict:
        """Find the likeliest match of each row and of each record."""
        graph = consistency_of(release)
        is_shared = int(release.classes.sizes.min(initial=release.n_records)) * self.p >= 1 - HAIR
        found = glimpsed(release, WORK) if is_shared and graph.is_true.all() else linkage_of(release)
        judged = graph_verdict(self, release, -found.of_types, -found.of_shapes, -self.p * (1 + HAIR), np.negative)
        n_estimated = 0 if is_shared else found.rows_by_method.get("estimated", 0)
        return replace(judged, judged_on=f"estimated for {n_estimated:,} rows") if n_estimated else judged

    def of_people(self) -> PeopleWeighed:
        """Nobody has more than the share p of the rows of a class, so no record is theirs with a higher probability."""
        return PeopleWeighed(self, self.p)

    def refuse(self, table: Table) -> None:
        """Refuse a probability that even a single class of all rows exceeds."""
        if self.p * table.n_rows < 1 - HAIR:
            raise ImpossibleGoal(
                f"A chance of at most {self.p:g} needs at least {1 / self.p:,.0f} rows, but the table has "
                f"{table.n_rows:,}; ask for {1 / table.n_rows:.2g} or more."
            )

    def __str__(self) -> str:
        return f"linkage at most {self.p:g}"
