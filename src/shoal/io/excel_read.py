"""A sheet of an Excel workbook to a table."""

from __future__ import annotations

import datetime as dt

import fastexcel
import polars as pl

from shoal.errors import InputError
from shoal.io.columns import check_names
from shoal.io.excel_size import check_unpacked

MIDNIGHT = dt.time(0)


def read_excel(data: bytes, name: str, sheet: str | int | None) -> tuple[pl.DataFrame, tuple[str, ...]]:
    """The table in a sheet, by default the first, and remarks; its first row names the columns.

    Excel has one type for numbers and one for dates: a column of whole numbers is read as integers, a column of
    date-times at midnight as dates. Rows of nothing but empty cells are left out, with a remark. O(bytes).

    Raises:
        InputError: this is not a workbook, or one that would fill the memory; the sheet is missing or empty, or the
            columns are not named properly.
    """
    check_unpacked(data, name)
    try:
        book = fastexcel.read_excel(data)
    except fastexcel.FastExcelError:
        raise InputError(f"{name} is not an Excel workbook (.xlsx); check what it is or save it anew.") from None
    chosen = _choose(book.sheet_names, sheet, name)
    frame = _load(book, chosen, f"sheet {chosen!r} of {name}")
    kept = frame.filter(~pl.all_horizontal(pl.all().is_null()))
    n_blank = frame.height - kept.height
    notes = (f"left out {n_blank:,} blank row{'s' * (n_blank > 1)}",) if n_blank else ()
    return kept.with_columns(_plain_type(column) for column in kept.iter_columns()), notes


def _choose(names: list[str], sheet: str | int | None, where: str) -> str:
    """The name of the sheet that is meant."""
    if sheet is None:
        return names[0]
    if isinstance(sheet, int):
        if not 1 <= sheet <= len(names):
            raise InputError(f"{where} has {len(names)} sheets, so there is no sheet number {sheet}.")
        return names[sheet - 1]
    if sheet not in names:
        raise InputError(f"{where} has no sheet {sheet!r}; its sheets are {', '.join(map(repr, names))}.")
    return sheet


def _load(book: fastexcel.ExcelReader, sheet: str, where: str) -> pl.DataFrame:
    """The sheet under its own column names; the reader would quietly rename doubles and blanks."""
    header = book.load_sheet(sheet, header_row=None, n_rows=1, dtypes="string").to_polars()
    if not header.height:
        raise InputError(f"The {where} is empty; a table needs a header and at least one row.")
    names = ["" if name is None else name for name in header.row(0)]
    check_names(names, f"the {where}")
    frame: pl.DataFrame = book.load_sheet(sheet, header_row=0, schema_sample_rows=None).to_polars()
    return frame.rename(dict(zip(frame.columns, names, strict=True)))


def _plain_type(column: pl.Series) -> pl.Series:
    """Whole numbers as integers, midnights as dates."""
    if column.dtype.is_float() and column.is_finite().all() and (column == column.round()).all():
        return column.cast(pl.Int64, strict=False) if (column.abs() < 2**53).all() else column
    if isinstance(column.dtype, pl.Datetime) and (column.dt.time() == MIDNIGHT).all():
        return column.dt.date()
    return column
