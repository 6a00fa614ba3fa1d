"""How the values of a table are written, where that must be specified: the same for files, frames, disk and Spark."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Self

import polars as pl

from shoal.core.schema import refuse_unknown
from shoal.errors import InputError, did_you_mean
from shoal.io.column_rules import mark_missing
from shoal.io.lookalike_values import fold_frame
from shoal.io.written_dates import check_form, read_dates
from shoal.io.written_numbers import check_marks, drop_units, read_numbers, refuse_no_numbers


@dataclass(frozen=True)
class WrittenValues:
    """Settings on how values are written; ``read`` returns the values that are meant.

    Every cell is read by itself, so rows may come in batches. The order is: folding, missing values, spellings, dates,
    units, numbers. Columns of texts stay texts.
    """

    missing_values: Sequence[str] = ()
    missing_codes: Mapping[str, Sequence[str]] = field(default_factory=dict)
    dates: Mapping[str, str] = field(default_factory=dict)
    decimal: str | None = None
    thousands: str | None = None
    units: Mapping[str, str] = field(default_factory=dict)
    spellings: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    fold: Sequence[str] = ()

    def __post_init__(self) -> None:
        check_marks(self.decimal, self.thousands)
        for name, form in self.dates.items():
            check_form(name, form)

    @classmethod
    def taken_from(cls, reading: dict[str, Any]) -> Self:
        """Take the settings about values out of the settings about reading."""
        said = {one.name: reading.pop(one.name, None) for one in fields(cls)}
        return cls(**{name: value for name, value in said.items() if value is not None})

    @property
    def says_something(self) -> bool:
        """Whether anything has to be done."""
        return self != WrittenValues()

    def check_columns(self, known: Sequence[str]) -> None:
        """Raise InputError if a setting names a column that the table does not have."""
        refuse_unknown(self.fold, known)
        named = [("missing codes", self.missing_codes), ("dates", self.dates), ("a unit", self.units)]
        for what, names in [*named, ("spellings", self.spellings)]:
            for name in names:
                if name not in known:
                    hint = did_you_mean(name, known)
                    raise InputError(f"The table has no column {name!r} (named with {what}).{hint}")

    def read(self, frame: pl.DataFrame) -> pl.DataFrame:
        """Return the same rows with the values that are meant; settings for absent columns are skipped. O(cells).

        Raises:
            InputError: a value does not have the specified notation.
        """
        if not self.says_something:
            return frame
        frame = fold_frame(frame, [name for name in self.fold if name in frame.columns])
        frame = mark_missing(frame, self.missing_values)
        return pl.DataFrame([self._column(values) for values in frame.iter_columns()])

    def _column(self, values: pl.Series) -> pl.Series:
        name = values.name
        if name in self.missing_codes:
            values = _without_codes(values, self.missing_codes[name])
        if name in self.spellings:
            values = values.cast(pl.String).replace(dict(self.spellings[name]))
        if name in self.dates:
            return read_dates(values, self.dates[name])
        if name in self.units and not values.dtype.is_numeric():
            values = read_numbers(drop_units(values, self.units[name]), self.decimal, self.thousands)
            values = _without_codes(values, self.missing_codes.get(name, ()))
            refuse_no_numbers(values, self.units[name])
        elif values.dtype == pl.String and (self.decimal or self.thousands):
            values = _without_codes(
                read_numbers(values, self.decimal, self.thousands), self.missing_codes.get(name, ())
            )
        return values


def _without_codes(values: pl.Series, codes: Sequence[str]) -> pl.Series:
    """Replace these values by missing; numbers are compared as numbers."""
    if not codes:
        return values
    if not values.dtype.is_numeric():
        is_code = values.cast(pl.String).is_in([str(code) for code in codes])
    else:
        known = pl.Series([str(code) for code in codes]).cast(pl.Float64, strict=False).drop_nulls()
        is_code = values.cast(pl.Float64).is_in(known.implode())
    return values.set(is_code, None)
