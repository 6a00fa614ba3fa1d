"""The base class of models about how many records each row fits, and how many rows fit each record."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

from shoal.core.consistency import consistency_of
from shoal.core.contracts import CountedMatches, Evidence, PrivacyModel, Verdict
from shoal.core.parameters import whole_number
from shoal.core.release import Release
from shoal.core.table import Table
from shoal.models.graph_verdict import by_record, verdict
from shoal.models.of_people import refuse_more_than
from shoal.models.people_matches import PeopleMatched


@dataclass(frozen=True)
class DegreeModel(PrivacyModel):
    """At least ``k`` neighbours in the graph of rows and the records they fit, on one side or on both."""

    k: int

    judged_by: ClassVar[tuple[Evidence, ...]] = ("original",)

    of_rows: ClassVar[bool] = True
    """Whether the records that each row fits are counted."""

    of_records: ClassVar[bool] = True
    """Whether the rows that fit each record are counted."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "k", whole_number("k", self.k, least=1))

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parse ``5``."""
        return cls(whole_number("k", text, least=1))

    @property
    def counted_matches(self) -> CountedMatches:
        """All pairs that fit count."""
        return CountedMatches(self.k, self.of_rows, self.of_records, in_assignments=False)

    @property
    def survives_union(self) -> bool:
        """True: rows and records of other parts can only add neighbours."""
        return True

    def check(self, release: Release) -> Verdict:
        """Count the neighbours."""
        graph = consistency_of(release)
        of_types, of_shapes = graph.fits
        rows = of_types.astype(float) if self.of_rows else None
        records = of_shapes.astype(float) if self.of_records else None
        return verdict(str(self), release, by_record(graph, rows, records), self.k)

    def refuse(self, table: Table) -> None:
        """Refuse k above the number of rows, or of people if they are counted."""
        refuse_more_than(self.k, table)

    def of_people(self) -> PeopleMatched:
        """Rows of at least k people must fit each record, and records of as many people each row."""
        return PeopleMatched(self, self.k)
