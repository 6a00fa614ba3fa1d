"""How the values of a table are written, where that must be specified: the same for files, frames, disk and Spark."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Self

import polars as pl

from shoal.core.schema import refuse_unknown
from shoal.errors import InputError, did_you_mean
from shoal.io.column_rules import mark_missing
from shoal.io.lookalike_values import fold_frame
from shoal.io.written_dates import check_form, read_dates

_ALIKE = {" ": " \u00a0\u202f", "'": "'’"}
"""Marks with several variants."""

_PLAIN = r"^[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?$"
_NETWORK = r"^(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?:25[0-5]|2[0-4]\d|1?\d?\d)){3}$"


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


def check_marks(decimal: str | None, thousands: str | None) -> None:
    """Raise InputError if a mark is invalid."""
    for what, mark in (("decimal", decimal), ("thousands", thousands)):
        if mark is not None and (len(mark) != 1 or mark.isalnum() or mark in "-+"):
            raise InputError(f"{what} must be one mark such as a comma, got {mark!r}.")
    if (decimal or ".") == thousands:
        raise InputError(f"decimal and thousands are both {thousands!r}; numbers would be ambiguous.")


def read_numbers(texts: pl.Series, decimal: str | None, thousands: str | None) -> pl.Series:
    """Rewrite numbers in the usual notation, ``1.234,50`` as ``1234.50``; everything else stays. O(rows).

    Each cell is read by itself, and must be a number as a whole. IP addresses are not numbers.

    >>> read_numbers(pl.Series("cost", ["1.234,50", "7,25", "1.2.3", None]), ",", ".").to_list()
    ['1234.50', '7.25', '1.2.3', None]
    """
    point = re.escape(decimal or ".")
    if thousands is not None:
        mark = f"[{re.escape(_ALIKE.get(thousands, thousands))}]"
        is_grouped = texts.str.contains(rf"^[-+]?\d{{1,3}}(?:{mark}\d{{3}})+(?:{point}\d+)?$")
        is_grouped &= ~texts.str.contains(_NETWORK)
        texts = texts.str.replace_all(mark, "").zip_with(is_grouped, texts)
    if decimal is not None:
        is_broken = texts.str.contains(rf"^[-+]?\d+{point}\d+$")
        texts = texts.str.replace(decimal, ".", literal=True).zip_with(is_broken, texts)
    return texts


def drop_units(values: pl.Series, unit: str) -> pl.Series:
    """Remove this unit (``years``, or ``years|yrs``) before or after the numbers of a column. O(rows)."""
    spelled = "|".join(re.escape(one.strip()) for one in unit.split("|") if one.strip())
    if not spelled:
        raise InputError(f"The unit of {values.name!r} is empty; leave it out.")
    pattern = rf"(?i)^\s*(?:{spelled})?\.?\s*([-+]?\d[\d.,'’\s]*?)\s*(?:{spelled})?\.?\s*$"
    return values.cast(pl.String).str.replace(pattern, "${1}")


def refuse_no_numbers(values: pl.Series, unit: str) -> None:
    """Raise InputError if a value of a column with a unit is not a number."""
    bad = values.is_not_null() & ~values.str.contains(_PLAIN)
    if bad.any():
        raise InputError(
            f"The column {values.name!r} holds {values.filter(bad)[0]!r}, which is not a number with the unit "
            f"{unit!r}; name another unit or decimal mark, or name what stands for missing in missing_codes."
        )
