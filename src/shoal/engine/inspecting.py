"""Look at a table before anything is decided about it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from shoal.engine.source import load
from shoal.engine.vocabulary import Reading
from shoal.io.inspect import Inspection, inspect_frame


def inspect(
    data: str | Path | Any,
    *,
    delimiter: str | None = None,
    encoding: str | None = None,
    quote: str | None = None,
    sheet: str | int | None = None,
    missing_values: Sequence[str] = (),
    query: str | None = None,
    skip_rows: int = 0,
    header_rows: int = 1,
    missing_codes: Mapping[str, Sequence[str]] | None = None,
    dates: Mapping[str, str] | None = None,
    decimal: str | None = None,
    thousands: str | None = None,
    units: Mapping[str, str] | None = None,
    spellings: Mapping[str, Mapping[str, str]] | None = None,
    fold: Sequence[str] = (),
    **more: Any,
) -> Inspection:
    """What the columns of a path or frame hold, a suggested role for each, and what singles people out.

    Args:
        data: A path, the address of a database table, or a pandas, polars or pyarrow table.
        delimiter: What separates fields; found if not given.
        encoding: Such as utf-8 or cp1252; found if not given.
        quote: What quotes fields, empty for none; found if not given.
        sheet: The sheet of a workbook, by name or number.
        missing_values: Texts that stand for a missing value, besides the empty field.
        query: For a database: a query in place of a table.
        skip_rows: Rows above the header to pass over, such as a title.
        header_rows: Rows that the header takes; the names in them are joined.
        missing_codes: Per column the values that stand for a missing one, as in age=-9,99.
        dates: Per column how its dates are written: %d.%m.%Y, %m/%d/%y, iso (with time zones), excel (day numbers).
        decimal: The decimal mark of numbers in texts, where it is no point.
        thousands: What groups the digits of numbers in texts.
        units: Per column the unit beside its numbers, which is dropped; several spellings as in age=years|yrs.
        spellings: What a value is read as, as in 'sex:MALE=male'; once per spelling.
        fold: Columns in which values that differ only in blanks or in how accents are coded are made one.
        more: No further word is known; the error says which one was meant.

    Raises:
        InputError: the table cannot be read.
    """
    words = Reading.called_with(locals())
    return inspect_frame(load(data, **words.reading).frame)
