"""The base class of models about how many records each row fits, and how many rows fit each record."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from shoal.core.arrays import Floats
from shoal.core.consistency import consistency_of
from shoal.core.contracts import CountedMatches, Evidence, PrivacyModel, Verdict
from shoal.core.parameters import checked, whole_number
from shoal.core.release import Release
from shoal.core.table import Table
from shoal.models.of_people import refuse_more_than
from shoal.models.people_matches import PeopleMatched


@dataclass(frozen=True)
class DegreeModel(PrivacyModel):
    """At least ``k`` neighbours in the graph of rows and the records they fit, on one side or on both."""

    k: int = field(metadata=checked(whole_number, "k", least=1))

    judged_by: ClassVar[tuple[Evidence, ...]] = ("original",)

    counts_rows: ClassVar[bool] = True
    """Whether the records that each row fits are counted."""

    counts_records: ClassVar[bool] = True
    """Whether the rows that fit each record are counted."""

    in_assignments: ClassVar[bool] = False
    """Whether only pairs of complete assignments count, not all that fit."""

    @property
    def counted_matches(self) -> CountedMatches:
        """The neighbours."""
        return CountedMatches(self.k, self.counts_rows, self.counts_records, self.in_assignments)

    @property
    def survives_union(self) -> bool:
        """True: other parts only add neighbours, and assignments of the parts form one of the whole."""
        return True

    def check(self, release: Release) -> Verdict:
        """Count the neighbours."""
        graph = consistency_of(release)
        of_types, of_shapes = graph.matches if self.in_assignments else graph.fits
        rows = of_types.astype(float) if self.counts_rows else None
        records = of_shapes.astype(float) if self.counts_records else None
        return graph_verdict(self, release, rows, records, self.k)

    def refuse(self, table: Table) -> None:
        """Refuse k above the number of rows, or of people if they are counted."""
        refuse_more_than(self.k, table)

    def of_people(self) -> PeopleMatched:
        """Rows of at least k people must fit each record, and records of as many people each row."""
        return PeopleMatched(self, self.k)


def graph_verdict(
    promise: PrivacyModel,
    release: Release,
    of_types: Floats | None,
    of_shapes: Floats | None,
    wanted: float,
    shown: Callable[[Floats], Floats] = np.asarray,
) -> Verdict:
    """Judge by measures of rows and of records in the consistency graph; a side that is None does not count.

    A class fails if one of its records, or the owner of one, has less than ``wanted``.
    """
    graph, classes = consistency_of(release), release.classes
    of_rows = np.full(release.table.n_rows, np.inf)
    for measures, places in ((of_types, graph.type_of), (of_shapes, graph.shape_of)):
        if measures is not None:
            of_rows[release.owners] = np.minimum(of_rows[release.owners], measures[places])
    worst = np.minimum.reduceat(of_rows[classes.members], classes.offsets[:-1]) if len(classes) else np.empty(0)
    return Verdict.of(promise, worst, wanted, shown)
