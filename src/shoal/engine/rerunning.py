"""Runs an algorithm again as an adversary would: on the people's quasi-identifiers, with an own random key."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np
import polars as pl

from shoal.core.arrays import Codes
from shoal.core.contracts import Algorithm, Goal
from shoal.core.progress import Silent
from shoal.core.randomness import Randomness
from shoal.core.release import Release, publish
from shoal.core.table import SensitiveColumn, Table
from shoal.engine.audit_inputs import own_shapes, recounted
from shoal.errors import ShoalError
from shoal.io.labels import to_frame
from shoal.models.sensitive import SensitiveModel


class RerunAlgorithm:
    """The algorithm of a release with its goal; has the printed release and the people, but no owners."""

    def __init__(self, algorithm: Algorithm, goal: Goal, table: Table, printed: pl.DataFrame, shapes: Codes) -> None:
        self._algorithm, self._goal, self._shapes, self._printed = algorithm, goal, shapes, printed
        quasi = tuple(column.name for column in table.quasi)
        self._people = Table(table.quasi, table.codes, order=quasi, people=table.people)
        self._sensitive = tuple(replace(column, codes=np.empty(0, np.int32)) for column in table.sensitive)
        self._names = (*quasi, *(column.name for column in table.sensitive))
        self.reads_values = any(isinstance(promise.as_said, SensitiveModel) for promise in goal.promises)

    @cached_property
    def _counts(self) -> pl.DataFrame:
        return self._counted(self._printed)

    def shapes(self) -> Codes:
        """The shape of each person's record in the adversary's own run."""
        try:
            release = self._run(self._people)
        except ShoalError:
            return np.full(self._people.n_rows, -1, np.int32)
        return own_shapes(release, self._printed, self._shapes)

    def agrees(self, values: Sequence[Codes]) -> bool:
        """Whether the algorithm would have published exactly this release with these sensitive values.

        People without a value are assumed to have no record, so assignments in which they get one do not agree.
        """
        in_it = values[0] >= 0 if values else np.ones(self._people.n_rows, bool)
        columns = tuple(_with(column, codes) for column, codes in zip(self._sensitive, values, strict=True))
        passengers = pl.DataFrame(
            [column.domain.values[np.maximum(column.codes, 0).tolist()].alias(column.name) for column in columns]
        )
        imagined = Table(self._people.quasi, self._people.codes, columns, passengers, self._names)
        try:
            release = self._run(imagined if self._people.people is None else imagined.with_people(self._people.people))
        except ShoalError:
            return False
        if not in_it[release.owners].all():
            return False
        return self._counted(to_frame(publish(release, Randomness()))).equals(self._counts)

    def _run(self, table: Table) -> Release:
        return self._algorithm.run(table, self._goal, Randomness(), Silent())

    def _counted(self, frame: pl.DataFrame) -> pl.DataFrame:
        """How often each record occurs, in sorted order."""
        texts = frame.select(pl.col(self._names).cast(pl.String))
        return texts.group_by(pl.all()).agg(pl.len().alias("n records")).sort(pl.all())


def _with(column: SensitiveColumn, codes: Codes) -> SensitiveColumn:
    """The column with imagined values; people without one get the first, and are checked afterwards."""
    given = np.maximum(codes, 0).astype(np.int32)
    return SensitiveColumn(recounted(column.domain, given), given, column.hierarchy)
