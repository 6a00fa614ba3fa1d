"""A step of preparation: a change to one column before a table is anonymized; and how steps read a column."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, ClassVar

import polars as pl

from shoal.core.schema import Role, Schema
from shoal.errors import InputError
from shoal.io.table_file import COUNT, VALUE

Tally = Callable[[str, str | None], pl.DataFrame]
"""Counts the rows (``COUNT``) with each value (``VALUE``) of a column, or the people if a person column is given."""


def tally_of(rows: pl.DataFrame | pl.LazyFrame) -> Tally:
    """Return a function that counts values in a table in memory or in a file."""

    def tally(column: str, person: str | None) -> pl.DataFrame:
        count = pl.len() if person is None else pl.col("person").n_unique()
        wanted = [pl.col(column).alias(VALUE), *([] if person is None else [pl.col(person).alias("person")])]
        return rows.lazy().select(wanted).group_by(VALUE).agg(count.alias(COUNT)).collect(engine="streaming")

    return tally


@dataclass(frozen=True)
class Step(ABC):
    """A change to the values of a column. Each row is changed independently unless ``learns`` is set."""

    column: str

    word: ClassVar[str]
    """The setting that requests it."""

    roles: ClassVar[Collection[Role]] = ("quasi-identifier", "sensitive", "other")
    """The roles that the column may have."""

    caveat: ClassVar[str] = ""
    """What it does not achieve, for reports; empty if the name is clear enough."""

    needs_key: ClassVar[bool] = False
    """Whether it uses the secret key."""

    sentence: ClassVar[str]
    """A description of the step that reveals no original values, with its settings in braces."""

    @property
    def says(self) -> str:
        """The sentence with the settings of this step."""
        return self.sentence.format_map(vars(self))

    def apply(self, frame: pl.DataFrame) -> pl.DataFrame:
        """Return the same rows with the column changed.

        Raises:
            InputError: a value cannot be changed in this way.
        """
        return frame.with_columns(self.changed(frame).alias(self.column))

    @abstractmethod
    def changed(self, frame: pl.DataFrame) -> pl.Series:
        """Return the changed column, under any name."""

    learns: ClassVar[bool] = False
    """Whether it depends on all rows, so that ``learn`` must precede ``apply``."""

    def learn(self, tally: Tally) -> Step:
        """Return the step with what it needs to know about all rows."""
        return self

    def check(self, schema: Schema) -> None:
        """Raise InputError if the column has a role that does not allow this step."""
        role = schema.role(self.column)
        if role not in self.roles:
            said = {
                "identifier": "an identifier, which is dropped; name it among the others to publish it so prepared",
                "person": "the person column, which is never published unchanged",
            }.get(role, f"a {role}, which is recoded; leave {self.word} out for it")
            raise InputError(f"{self.word}: the column {self.column!r} is {said}.")


def numbers(step: Step, values: pl.Series) -> pl.Series:
    """The column as integers if all values are whole and small enough, otherwise as floats.

    Raises:
        InputError: a value is not a number.
    """
    if values.dtype.is_integer():
        return values.cast(pl.Int64)
    if values.dtype.is_float():
        return values
    if values.dtype != pl.String:
        raise _unusable(step, values, "number")
    whole = values.str.strip_chars().cast(pl.Int64, strict=False)
    if whole.null_count() == values.null_count():
        return whole
    read = values.str.strip_chars().cast(pl.Float64, strict=False)
    bad = values.is_not_null() & ~read.is_finite().fill_null(value=False)
    if bad.any():
        raise _unusable(step, values.filter(bad), "number")
    return read


def moments(step: Step, values: pl.Series) -> pl.Series:
    """The column as dates or date-times; texts must be in ISO 8601 format.

    Raises:
        InputError: a value is not a date.
    """
    if values.dtype in (pl.Date, pl.Datetime):
        return values
    if values.dtype != pl.String:
        raise _unusable(step, values, "date")
    read = values.str.to_date("%Y-%m-%d", strict=False)
    bad = values.is_not_null() & read.is_null()
    if bad.any():
        raise InputError(
            f"{step.word}: the column {step.column!r} holds {values.filter(bad)[0]!r}, which is not a date as in "
            f"2024-03-31; say how its dates are written, as in dates = {{{step.column!r}: '%d.%m.%Y'}}."
        )
    return read


def is_about_dates(values: pl.Series) -> bool:
    """Whether a column has a date type."""
    return values.dtype in (pl.Date, pl.Datetime)


def number_said(step: Step, text: str, *, positive: bool = False) -> float:
    """Parse a number in the settings of a column.

    Raises:
        InputError: it is not a number, or not positive where it must be.
    """
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number) or (positive and number <= 0):
        wanted = "a number above 0" if positive else "a number"
        raise InputError(f"{step.word}: {step.column!r} needs {wanted}, got {text!r}.")
    return number


def moment_said(step: Step, text: str) -> date | datetime | None:
    """Parse a date in the settings of a column; None if it is not a date."""
    for kind in (date, datetime):
        try:
            return kind.fromisoformat(text)
        except ValueError:
            continue
    return None


def decimals(text: str) -> int:
    """The number of digits after the decimal point.

    >>> decimals("1000"), decimals("0.05"), decimals("1e3")
    (0, 2, 0)
    """
    plain = format(float(text), "f").rstrip("0") if "e" in text.lower() else text.strip()
    return len(plain.partition(".")[2].rstrip("0"))


def each_distinct(values: pl.Series, change: Callable[[Any], Any], dtype: type[pl.DataType]) -> pl.Series:
    """Change every value; missing stays missing. O(rows), and one call for each distinct value."""
    known = values.drop_nulls().unique()
    changed = pl.Series([change(value) for value in known.to_list()], dtype=dtype)
    return values.replace_strict(known, changed, default=None, return_dtype=dtype)


def _unusable(step: Step, values: pl.Series, wanted: str) -> InputError:
    """The error for values, all of which may be missing, that a step cannot change."""
    said = f"is of type {values.dtype}, which it cannot change"
    if known := values.drop_nulls().head(1).to_list():
        said = f"holds {known[0]!r}, which is no {wanted}"
    return InputError(f"{step.word}: the column {step.column!r} {said}.")
