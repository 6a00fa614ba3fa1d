"""A promise about whole histories: all rows of a person taken together."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from shoal.core.arrays import Floats
from shoal.core.contracts import PrivacyModel, Verdict
from shoal.core.groups import Groups
from shoal.core.histories import owners_of
from shoal.core.history_classes import history_classes, history_parts
from shoal.core.release import Release
from shoal.core.table import Table
from shoal.errors import InputError
from shoal.models.of_people import OfPeople


def of_histories(promise: PrivacyModel) -> OfHistories:
    """A promise about people, about their whole histories.

    Raises:
        InputError: it has no such reading.
    """
    if not isinstance(promise, OfPeople) or promise.promise.judges_cells:
        raise InputError(f"{promise} cannot be promised of histories; use linked = 'rows', or ask for another promise.")
    return OfHistories(promise.promise)


@dataclass(frozen=True)
class OfHistories(OfPeople):
    """The ``promise`` about people whose whole published histories are equal.

    Whoever knows the quasi-identifiers of all rows of a person finds as many people as the promise asks for, whose
    histories are published alike, record by record and with equally many records. A promise about sensitive values is
    kept by the people of every such class with all their rows, and by every set of equal records in it: a person is
    not safe where everybody's second visit was for the same reason.

    Since rows of equal histories are equal, it implies the same promise about single rows wherever a group that
    contains one that keeps the promise keeps it.
    """

    name: ClassVar[str] = "of-histories"
    summary: ClassVar[str] = "the same promise, about all rows of a person together"

    @property
    def is_monotone(self) -> bool:  # type: ignore[override]
        """Nothing is known of a union: a person's rows in two tables are a history that neither has."""
        return False

    @property
    def is_about_people(self) -> bool:  # type: ignore[override]
        """Groups of rows do not tell what a person's other rows are."""
        return False

    def of_people(self) -> OfPeople:
        """This promise: people are counted already."""
        return self

    def check(self, release: Release) -> Verdict:
        """Measure every class of equal histories, and where values are judged every set of equal records in it."""
        judged = self.judged_groups(release.table, release.classes)
        return self.verdict(np.concatenate([measures for _, measures in judged]))

    def judged_groups(self, table: Table, classes: Groups) -> list[tuple[Groups, Floats]]:
        """What is judged where records of these classes have equal cells, and one number for each of the groups."""
        people = owners_of(table)
        wholes = history_classes(classes, people)
        found = [(wholes, self.measure(table, wholes))]
        if self.reads != "classes":
            parts = history_parts(classes, people)
            found.append((parts, self.measure_parts(table, parts)))
        return found

    def measure_parts(self, table: Table, parts: Groups) -> Floats:
        """One number per set of records in which everybody has equally many.

        There a row counts like any other, and is compared with all rows, not with all that a person ever had. Where
        nothing is compared people are counted, too.
        """
        of_rows = replace(table, sensitive=tuple(replace(column, held=None) for column in table.sensitive))
        by_rows = self.promise.measure(of_rows, parts)
        return by_rows if self.needs_original else np.minimum(by_rows, self.measure(table, parts))

    def verdict(self, measures: Floats) -> Verdict:
        """What the measures come to; the worst are not named, since reports name classes of records."""
        return replace(super().verdict(measures), worst=(), worst_measures=())

    def __str__(self) -> str:
        return f"{self.promise} of histories"
