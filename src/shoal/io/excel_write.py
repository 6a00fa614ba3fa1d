"""Writing a table as an Excel workbook."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import xlsxwriter
import xlsxwriter.exceptions

from shoal.errors import InputError
from shoal.io.csv_write import on_distinct
from shoal.io.formula import disarmed
from shoal.io.locking import temporary_folder

MAX_ROWS, MAX_COLUMNS, MAX_CHARACTERS = 1_048_575, 16_384, 32_767
"""The limits of a sheet, not counting its header."""

DIGITS = 15
MAX_INTEGER = 10**DIGITS
"""Excel keeps fifteen digits; a column with larger integers, or with numbers that differ later, is written as text."""

OPTIONS = {
    "strings_to_formulas": False,
    "strings_to_urls": False,
    "strings_to_numbers": False,
    "remove_timezone": True,
    "constant_memory": True,
}

CREATED = dt.datetime(2000, 1, 1)
"""The same for every file, because the release must not tell when it was made."""


def write_excel(frame: pl.DataFrame, path: Path) -> None:
    """Write the table to the only sheet of a workbook; the same table gives the same bytes.

    Texts are written as texts and never as formulas, links or numbers. They are also made harmless, because a workbook
    may be saved as CSV (see ``formula``). A missing value is an empty cell, so a record without any value is a blank
    row, which readers of sheets skip. Infinite numbers, numbers that differ beyond the fifteenth digit, dates before
    1900 and date-times with fractions of a millisecond, which Excel does not have, are written as text. O(cells), about
    6 µs each.

    Raises:
        InputError: the table has more rows, columns or characters in a cell than a sheet can hold.
    """
    fitting = (column if _fits(column) else column.cast(pl.String) for column in frame.iter_columns())
    columns = frame.select(on_distinct(one, disarmed) if one.dtype == pl.String else one for one in fitting)
    names = on_distinct(pl.Series(frame.columns), disarmed).to_list()
    _check_size(columns)
    try:
        with (
            temporary_folder(path.parent) as pieces,  # parts are kept beside the workbook until it is assembled
            xlsxwriter.Workbook(str(path), {**OPTIONS, "tmpdir": str(pieces)}) as book,
        ):
            book.set_properties({"created": CREATED})
            sheet = book.add_worksheet()
            for position, name in enumerate(names):
                sheet.write_string(0, position, name)
            writers = _writers(columns, book, sheet)
            for row, values in enumerate(columns.iter_rows(), start=1):
                for position, value in enumerate(values):
                    if value is not None:
                        writers[position](row, position, value)
    except xlsxwriter.exceptions.FileCreateError as error:
        raise error.args[0] from None  # the operating system's error


def _fits(column: pl.Series) -> bool:
    """Whether Excel can hold these values other than as text."""
    if column.dtype.is_integer():
        values = column.cast(pl.Int128)
        return bool(values.is_between(-MAX_INTEGER, MAX_INTEGER).all())
    if column.dtype.is_float():
        return bool(column.is_finite().all()) and column.round_sig_figs(DIGITS).n_unique() == column.n_unique()
    if isinstance(column.dtype, (pl.Date, pl.Datetime)):
        return bool((column.dt.year() >= 1900).all()) and is_in_milliseconds(column)
    return column.dtype == pl.Boolean


def is_in_milliseconds(column: pl.Series) -> bool:
    """Whether Excel's date-times, without fractions of a millisecond and time zones, can tell these values apart."""
    moments = column.cast(pl.Datetime("us")) if column.dtype == pl.Date else column.dt.replace_time_zone(None)
    short = moments.dt.truncate("1ms")
    return bool((short == moments).all()) and short.n_unique() == column.n_unique()


def _check_size(columns: pl.DataFrame) -> None:
    if columns.height > MAX_ROWS or columns.width > MAX_COLUMNS:
        raise InputError(
            f"A sheet holds {MAX_ROWS:,} rows and {MAX_COLUMNS:,} columns, the table has {columns.height:,} and "
            f"{columns.width:,}; write .csv or .parquet instead."
        )
    for column in columns.select(pl.col(pl.String).str.len_chars().max()).iter_columns():
        if (column.item() or 0) > MAX_CHARACTERS:
            raise InputError(
                f"A cell of a sheet holds {MAX_CHARACTERS:,} characters, one in {column.name!r} has "
                f"{column.item():,}; write .csv or .parquet instead."
            )


def _writers(columns: pl.DataFrame, book: Any, sheet: Any) -> list[Callable[[int, int, Any], object]]:
    """A function for each column that writes one of its values."""
    day = book.add_format({"num_format": "yyyy-mm-dd"})
    moment = book.add_format({"num_format": "yyyy-mm-dd hh:mm:ss"})
    by_type = {
        pl.String: sheet.write_string,
        pl.Boolean: sheet.write_boolean,
        pl.Date: lambda row, position, value: sheet.write_datetime(row, position, value, day),
        pl.Datetime: lambda row, position, value: sheet.write_datetime(row, position, value, moment),
    }
    return [by_type.get(dtype.base_type(), sheet.write_number) for dtype in columns.dtypes]
