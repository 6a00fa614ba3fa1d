"""Privacy models about whole histories: all rows of a person taken together."""

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
    """Turn a model about people into one about their whole histories.

    Raises:
        InputError: the model cannot be applied to histories.
    """
    if not isinstance(promise, OfPeople) or promise.promise.judges_cells:
        raise InputError(f"{promise} cannot be promised of histories; use linked = 'rows', or ask for another promise.")
    return OfHistories(promise.promise)


@dataclass(frozen=True)
class OfHistories(OfPeople):
    """The ``promise`` about people whose whole published histories are equal.

    An adversary who knows the quasi-identifiers of all rows of a person finds as many people as the model requires
    whose published histories are equal: the same records, equally often. A model about sensitive values must hold for
    the people of every such class with all their rows, and for every set of equal records in it: a person is not safe
    if everybody's second visit was for the same reason.

    Rows of equal histories are equal. So this implies the same model about single rows, if supersets of groups that
    satisfy the model always satisfy it.
    """

    name: ClassVar[str] = "of-histories"
    summary: ClassVar[str] = "the same promise, about all rows of a person together"

    @property
    def is_monotone(self) -> bool:  # type: ignore[override]
        """False: a person's rows in two tables form a history that neither table has."""
        return False

    @property
    def is_about_people(self) -> bool:  # type: ignore[override]
        """False: groups of rows do not show a person's other rows."""
        return False

    def of_people(self) -> OfPeople:
        """The model itself: it already counts people."""
        return self

    def check(self, release: Release) -> Verdict:
        """Measure every class of equal histories and, if values are judged, every set of equal records in it."""
        judged = self.judged_groups(release.table, release.classes)
        return self.verdict(np.concatenate([measures for _, measures in judged]))

    def judged_groups(self, table: Table, classes: Groups) -> list[tuple[Groups, Floats]]:
        """The groups that are judged if records of these classes have equal cells, with one measure per group."""
        people = owners_of(table)
        wholes = history_classes(classes, people)
        found = [(wholes, self.measure(table, wholes))]
        if self.reads != "classes":
            parts = history_parts(classes, people)
            found.append((parts, self.measure_parts(table, parts)))
        return found

    def measure_parts(self, table: Table, parts: Groups) -> Floats:
        """One measure per set of equal records, of which everybody has equally many.

        Here every row counts and is compared with all rows, not with all values that a person ever had. If nothing is
        compared with the whole table, people are counted as well.
        """
        of_rows = replace(table, sensitive=tuple(replace(column, held=None) for column in table.sensitive))
        by_rows = self.promise.measure(of_rows, parts)
        return by_rows if self.needs_original else np.minimum(by_rows, self.measure(table, parts))

    def verdict(self, measures: Floats) -> Verdict:
        """The verdict from all measures; the worst groups are not named, because reports name classes of records."""
        return replace(super().verdict(measures), worst=(), worst_measures=())

    def __str__(self) -> str:
        return f"{self.promise} of histories"
