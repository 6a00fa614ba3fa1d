"""Privacy models about whole histories: all rows of a person taken together."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from shoal.core.arrays import Codes, Floats
from shoal.core.contracts import PrivacyModel, Verdict
from shoal.core.groups import Groups
from shoal.core.histories import owners_of
from shoal.core.release import Release
from shoal.core.table import Table
from shoal.errors import InputError
from shoal.kernels.distinct import number_lists
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
            parts = _history_parts(classes, people)
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


def history_classes(classes: Groups, people: Codes) -> Groups:
    """Group the rows of people whose published histories are equal. O(records log records).

    Two histories are equal if they have the same records, each equally often; the order of records is not published.
    ``classes`` are the rows whose records have equal cells, ``people`` is the person of each row.
    """
    rows, history, _ = _numbered(classes, people)
    return Groups.from_ids(history, int(history.max(initial=-1)) + 1, rows)


def _history_parts(classes: Groups, people: Codes) -> Groups:
    """The same groups, each split into rows whose records are equal.

    An adversary who has found the class of a person's history can tell its records apart by their cells, so sensitive
    values are judged in each of these parts as well.
    """
    rows, history, record = _numbered(classes, people)
    n_records = int(record.max(initial=0)) + 1
    known, parts = np.unique(history.astype(np.int64) * n_records + record, return_inverse=True)
    return Groups.from_ids(parts, known.size, rows)


def _numbered(classes: Groups, people: Codes) -> tuple[Codes, Codes, Codes]:
    """The published rows, the number of each one's history, and that of its record."""
    rows = classes.members
    record = np.repeat(np.arange(len(classes), dtype=np.int32), classes.sizes)
    people = people[rows]
    order = np.lexsort((record, people))
    starts = np.flatnonzero(np.diff(people[order], prepend=-1))
    offsets = np.append(starts, order.size).astype(np.int64)
    histories, _ = number_lists(offsets, record[order])
    history = np.empty(rows.size, np.int32)
    history[order] = np.repeat(histories, np.diff(offsets))
    return rows, history, record
