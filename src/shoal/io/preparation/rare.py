"""Merging rare categories into one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import polars as pl

from shoal.errors import InputError
from shoal.io.preparation.contract import Step, Tally
from shoal.io.table_file import COUNT, VALUE

OTHER = "other"
"""The label of merged rare categories."""


@dataclass(frozen=True)
class RareCategories(Step):
    """Categories with fewer than ``least`` rows (people, if ``person`` is set) become ``other``.

    An existing category with that name absorbs them. Missing stays missing.
    """

    least: int
    person: str | None = None
    kept: frozenset[str] | None = None

    word: ClassVar[str] = "rare"
    learns: ClassVar[bool] = True
    caveat: ClassVar[str] = "A category that stays is no rarer than that in the whole table, but may be inside a class."

    def __post_init__(self) -> None:
        if self.least < 1:
            raise InputError(f"rare: {self.column!r} needs a whole number of at least 1, got {self.least}.")

    @property
    def says(self) -> str:
        """A description of the step that reveals no category."""
        whom = "people" if self.person else "rows"
        return f"Categories that fewer than {self.least:,} {whom} have are published as {OTHER!r}."

    def learn(self, tally: Tally) -> RareCategories:
        """Count the rows or people per category. O(rows)."""
        counts = tally(self.column, self.person)
        often = counts.filter((pl.col(COUNT) >= self.least) & pl.col(VALUE).is_not_null())[VALUE]
        return replace(self, kept=frozenset(often.cast(pl.String).to_list()))

    def changed(self, frame: pl.DataFrame) -> pl.Series:
        """Replace the rare categories; the column becomes text. O(rows)."""
        assert self.kept is not None
        values = frame[self.column].cast(pl.String)
        return values.set(~values.is_in(list(self.kept)), OTHER)
