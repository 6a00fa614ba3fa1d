"""Reading numbers in other notations: with a decimal comma, grouped digits or a unit."""

from __future__ import annotations

import re

import polars as pl

from shoal.errors import InputError

_ALIKE = {" ": " \u00a0\u202f", "'": "'’"}
"""Marks with several variants."""

_PLAIN = r"^[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?$"
_NETWORK = r"^(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?:25[0-5]|2[0-4]\d|1?\d?\d)){3}$"


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
