"""Dates shifted by a secret number of days per person, which preserves the intervals between a person's dates."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import polars as pl

from shoal.errors import InputError
from shoal.io.preparation.contract import Step, each_distinct, moments
from shoal.io.preparation.key_file import SecretKey


@dataclass(frozen=True)
class ShiftedDates(Step):
    """Shift all dates of a person, in all such columns, by the same number of days: −``most`` … ``most``.

    The number depends only on the secret key and the person, so later releases with the same key use the same shift.
    """

    person: str
    most: int
    key: SecretKey = field(repr=False)

    word: ClassVar[str] = "shift_dates"
    sentence: ClassVar[str] = "Dates are moved by a secret number of days per person, at most {most:,} either way."
    needs_key: ClassVar[bool] = True
    caveat: ClassVar[str] = (
        "Shifted dates do not give k-anonymity: the days between a person's dates are unchanged, and an adversary who "
        "knows one of them knows all."
    )

    def changed(self, frame: pl.DataFrame) -> pl.Series:
        """Shift the dates. O(rows + 1 µs for each person).

        Raises:
            InputError: a row with a date has no person key.
        """
        values, people = self.dates(frame), frame[self.person].cast(pl.String)
        if (values.is_not_null() & people.is_null()).any():
            raise InputError(
                f"shift_dates: some rows have a date in {self.column!r} and nobody in {self.person!r}; fill in whose "
                "rows they are, or drop them."
            )
        table = pl.DataFrame({"value": values, "days": each_distinct(people, self._days, pl.Int64)})
        return table.select(pl.col("value") + pl.duration(days="days")).to_series().cast(values.dtype)

    def dates(self, frame: pl.DataFrame) -> pl.Series:
        """The column as dates, before the shift."""
        return moments(self, frame[self.column])

    def _days(self, person: str) -> int:
        drawn = int.from_bytes(self.key.digest("shifted dates", person), "big")
        return drawn % (2 * self.most + 1) - self.most
