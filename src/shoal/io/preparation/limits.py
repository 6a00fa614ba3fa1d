"""Top and bottom coding: values beyond a limit become the limit."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, ClassVar

import polars as pl

from shoal.errors import InputError
from shoal.io.preparation.contract import Step
from shoal.io.preparation.typed_values import is_about_dates, moment_said, moments, number_said, numbers


@dataclass(frozen=True)
class _Limit(Step):
    limit: str

    def __post_init__(self) -> None:
        if moment_said(self, self.limit) is None:
            number_said(self, self.limit)

    def apply(self, frame: pl.DataFrame) -> pl.DataFrame:
        """Replace values beyond the limit; all others stay as written. O(rows)."""
        values = frame[self.column]
        moment = moment_said(self, self.limit)
        if moment is not None:
            return frame.with_columns(self._of_dates(values, moment))
        if is_about_dates(values):
            raise InputError(
                f"{self.word}: {self.column!r} holds dates, so its limit must be a date such as 2024-03-31, "
                f"got {self.limit!r}."
            )
        limit: float = number_said(self, self.limit)
        read = numbers(self, values)
        is_whole = read.dtype.is_integer() and limit.is_integer()
        own: Any = int(limit) if is_whole else limit
        if values.dtype == pl.String:
            return frame.with_columns(self._exchanged(values, self._beyond(read, limit), self.limit.strip()))
        kind = values.dtype if is_whole or values.dtype.is_float() else pl.Float64
        return frame.with_columns(self._exchanged(values.cast(kind), self._beyond(read, limit), own))

    def _of_dates(self, values: pl.Series, limit: date | datetime) -> pl.Series:
        read = moments(self, values)
        own = pl.Series([limit]).cast(read.dtype)[0]
        return self._exchanged(read, self._beyond(read, own), own)

    def _exchanged(self, values: pl.Series, beyond: pl.Series, limit: Any) -> pl.Series:
        own = pl.lit(limit, dtype=values.dtype)
        return pl.select(pl.when(beyond).then(own).otherwise(values)).to_series().alias(self.column)

    def _beyond(self, values: pl.Series, limit: Any) -> pl.Series:
        raise NotImplementedError


@dataclass(frozen=True)
class TopCoding(_Limit):
    """Values above the limit become the limit."""

    word: ClassVar[str] = "top"

    @property
    def says(self) -> str:
        """A description of the step."""
        return f"Values above {self.limit} are published as {self.limit} (top coding)."

    def _beyond(self, values: pl.Series, limit: Any) -> pl.Series:
        return values.to_frame().select(pl.all() > limit).to_series()


@dataclass(frozen=True)
class BottomCoding(_Limit):
    """Values below the limit become the limit."""

    word: ClassVar[str] = "bottom"

    @property
    def says(self) -> str:
        """A description of the step."""
        return f"Values below {self.limit} are published as {self.limit} (bottom coding)."

    def _beyond(self, values: pl.Series, limit: Any) -> pl.Series:
        return values.to_frame().select(pl.all() < limit).to_series()
