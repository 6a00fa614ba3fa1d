"""Promises about histories, applied to groups of wide rows, each of which is a person."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from shoal.core.arrays import Codes, Floats
from shoal.core.contracts import Goal, GroupModel, PrivacyModel
from shoal.core.groups import Groups
from shoal.core.table import Table
from shoal.errors import InputError
from shoal.models.k_anonymity import KAnonymity
from shoal.models.of_histories import OfHistories
from shoal.models.of_people import OfPeople


@dataclass(frozen=True, eq=False)
class OfWideRows(GroupModel):
    """A promise about people, applied to all rows of a group of people and to their rows at each place.

    ``rows[place, person]`` are rows of ``table``. Rows at two places may come to look alike, and then a reader of the
    release cannot tell the places apart; the check of the release takes that into account.
    """

    promise: OfHistories
    table: Table
    rows: Codes

    name: ClassVar[str] = "of-wide-rows"
    flag: ClassVar[str] = ""
    summary: ClassVar[str] = "a promise about people, each of whom is a row"

    @property
    def threshold(self) -> float:
        """The threshold of the promise."""
        return self.promise.threshold

    @property
    def floor(self) -> int:
        """The floor of the promise."""
        return self.promise.floor

    @property
    def is_growing(self) -> bool:  # type: ignore[override]
        """The same as for the promise."""
        return self.promise.is_growing

    @property
    def is_monotone(self) -> bool:  # type: ignore[override]
        """Whether the promise is growing."""
        return self.promise.is_growing

    def measure(self, table: Table, groups: Groups) -> Floats:
        """The minimum of the measure over all rows of a group's people, and over their rows at each place. O(rows)."""
        n_places = self.rows.shape[0]
        whole = Groups(groups.offsets * n_places, self.rows[:, groups.members].T.ravel())
        worst = self.promise.measure(self.table, whole)
        for at in self.rows:
            part = Groups(groups.offsets, at[groups.members])
            worst = np.minimum(worst, self.promise.measure_parts(self.table, part))
        return worst

    @classmethod
    def parse(cls, text: str) -> PrivacyModel:
        """Not supported: this model has no text form."""
        raise InputError("This promise is made from others where histories are published.")

    def __str__(self) -> str:
        return str(self.promise)


def wide_goal(goal: Goal, tables: Sequence[Table], rows: Sequence[Codes], share: float) -> Goal:
    """The goal for people as wide rows, a ``share`` of whom may be left out.

    A promise about the number of people becomes one about the number of wide rows. Any other is applied to the tables
    that have the columns it refers to.
    """
    promises: list[PrivacyModel] = []
    for promise in goal.promises:
        assert isinstance(promise, OfHistories)
        if is_about_size(promise):
            promises.append(promise.promise)
        else:
            mine = [(table, at) for table, at in zip(tables, rows, strict=True) if _speaks_of(promise, table, at)]
            promises += [OfWideRows(promise, table, at) for table, at in mine]
    return replace(goal, promises=tuple(promises) or (KAnonymity(1),), suppression_limit=share)


def is_about_size(promise: PrivacyModel) -> bool:
    """Whether a promise about people requires nothing but a number of them."""
    return isinstance(promise, OfPeople) and promise.promise.is_about_size


def _speaks_of(promise: OfPeople, table: Table, rows: Codes) -> bool:
    """Whether the promise refers to columns of a table that has rows."""
    try:
        promise.require_columns(table)
    except InputError:
        return False
    return bool(rows.shape[0])
