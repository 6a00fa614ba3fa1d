"""k-concealment: every row has at least k records that it gets in some complete assignment."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from shoal.core.consistency import consistency_of
from shoal.core.contracts import CountedMatches, Evidence, PrivacyModel, Verdict
from shoal.core.parameters import whole_number
from shoal.core.release import Release
from shoal.core.table import Table
from shoal.models.graph_verdict import by_record, verdict
from shoal.models.of_people import refuse_more_than
from shoal.models.people_matches import PeopleMatched
from shoal.models.spelling import one_of

Side = Literal["both", "rows", "records"]
"""Whose matches are counted."""


@dataclass(frozen=True)
class KConcealment(PrivacyModel):
    """Each row has at least ``k`` matches, and so does each record (or one of the two: ``side``).

    Guarantee: for every person, k records remain possible after all eliminations. A record is a match of a row if some
    complete assignment of records to rows uses the pair. It says that k matches are possible, not that they are equally
    likely: a few fully suppressed records give everybody k matches that are almost impossible. Use LinkageBound as
    well; the algorithm of this name does so by itself.

    Threat model: the adversary knows the quasi-identifiers of all people in the table and eliminates every pair of a
    person and a record that is impossible.

    The paper's k-concealment counts the matches of rows (``side="rows"``); its (k,1) and (k,k) versions are "records"
    and "both".

    People counted: judged in classes: rows of at least ``k`` different people, all of whom fit all records of the
    class.

    Cost: O(pairs that fit) time and memory.

    Reference: Tassa, Mazza and Gionis 2012, k-Concealment: An Alternative Model of k-Type Anonymity (Definition 6,
    Algorithm 4).

    >>> str(KConcealment(5)), str(KConcealment(5, "rows"))
    ('5-concealment', '5-concealment of rows')
    """

    k: int
    side: Side = "both"

    name: ClassVar[str] = "k-concealment"
    flag: ClassVar[str] = "concealment"
    summary: ClassVar[str] = (
        "every row has at least CONCEALMENT records, and every record as many rows, that some complete assignment "
        "pairs; with :rows or :records only those are counted"
    )
    judged_by: ClassVar[tuple[Evidence, ...]] = ("original",)

    def __post_init__(self) -> None:
        object.__setattr__(self, "k", whole_number("k", self.k, least=1))
        one_of("side", self.side, ("both", "rows", "records"))

    @classmethod
    def parse(cls, text: str) -> KConcealment:
        """Parse ``5``, ``5:rows`` or ``5:records``."""
        number, _, side = text.partition(":")
        return cls(whole_number("k", number, least=1), side or "both")  # type: ignore[arg-type]

    @property
    def counts_rows(self) -> bool:
        """Whether the matches of rows are counted."""
        return self.side != "records"

    @property
    def counts_records(self) -> bool:
        """Whether the matches of records are counted."""
        return self.side != "rows"

    @property
    def counted_matches(self) -> CountedMatches:
        """Only pairs of complete assignments count."""
        return CountedMatches(self.k, self.counts_rows, self.counts_records, in_assignments=True)

    @property
    def survives_union(self) -> bool:
        """True: complete assignments of the parts form one of the whole, so no match is lost."""
        return True

    def check(self, release: Release) -> Verdict:
        """Count the matches of each row and of each record."""
        graph = consistency_of(release)
        of_types, of_shapes = (counts.astype(float) for counts in graph.matches)
        measures = by_record(graph, of_types if self.counts_rows else None, of_shapes if self.counts_records else None)
        return verdict(str(self), release, measures, self.k)

    def of_people(self) -> PeopleMatched:
        """Each row must match records of at least k people, and each record rows of as many."""
        return PeopleMatched(self, self.k)

    def refuse(self, table: Table) -> None:
        """Refuse k above the number of rows."""
        refuse_more_than(self.k, table)

    def __str__(self) -> str:
        return f"{self.k}-concealment" + ("" if self.side == "both" else f" of {self.side}")
