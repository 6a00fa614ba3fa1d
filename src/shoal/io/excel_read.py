"""Reading a sheet of an Excel workbook."""

from __future__ import annotations

import datetime as dt
import io
import logging
import struct
import zipfile
import zlib
from typing import TYPE_CHECKING

import polars as pl

from shoal.errors import InputError
from shoal.io.column_rules import check_names, joined_names

if TYPE_CHECKING:
    import fastexcel

MIDNIGHT = dt.time(0)

logging.getLogger("fastexcel").addHandler(logging.NullHandler())  # else it logs how it guessed types


def read_excel(
    data: bytes, name: str, sheet: str | int | None, skip_rows: int = 0, header_rows: int = 1
) -> tuple[pl.DataFrame, tuple[str, ...]]:
    """Read the table in a sheet, by default the first, and remarks; its first row names the columns.

    ``skip_rows`` rows above the header are skipped, and ``header_rows`` header rows are joined.

    Excel has one type for numbers and one for dates: a column of whole numbers is read as integers, a column of
    date-times at midnight as dates. Rows with only empty cells are skipped, with a remark. O(bytes).

    Raises:
        InputError: this is not a workbook, or it would fill the memory; the sheet is missing or empty, or the columns
            are not named properly.
    """
    import fastexcel

    check_unpacked(data, name)
    try:
        book = fastexcel.read_excel(data)
    except fastexcel.FastExcelError:
        raise InputError(f"{name} is not an Excel workbook (.xlsx); check what it is or save it again.") from None
    chosen = _choose(book.sheet_names, sheet, name)
    frame = _load(book, chosen, f"sheet {chosen!r} of {name}", skip_rows, header_rows)
    kept = frame.filter(~pl.all_horizontal(pl.all().is_null()))
    n_blank = frame.height - kept.height
    notes = (f"left out {n_blank:,} blank row{'s' * (n_blank > 1)}",) if n_blank else ()
    return kept.with_columns(_plain_type(column) for column in kept.iter_columns()), notes


def _choose(names: list[str], sheet: str | int | None, where: str) -> str:
    if sheet is None:
        return names[0]
    if isinstance(sheet, int):
        if not 1 <= sheet <= len(names):
            raise InputError(f"{where} has {len(names)} sheets, so there is no sheet number {sheet}.")
        return names[sheet - 1]
    if sheet not in names:
        raise InputError(f"{where} has no sheet {sheet!r}; its sheets are {', '.join(map(repr, names))}.")
    return sheet


def first_rows(data: bytes, name: str, sheet: str | int | None, n_rows: int) -> tuple[list[str], list[list[str]]]:
    """The names of the sheets, and the first rows of one of them as texts, with blank cells as empty texts."""
    import fastexcel

    check_unpacked(data, name)
    try:
        book = fastexcel.read_excel(data)
        chosen = _choose(book.sheet_names, sheet, name)
        top = book.load_sheet(chosen, header_row=None, n_rows=n_rows, dtypes="string").to_polars()
    except fastexcel.FastExcelError:
        return [], []
    return book.sheet_names, [[cell or "" for cell in row] for row in top.iter_rows()]


def _load(book: fastexcel.ExcelReader, sheet: str, where: str, skip_rows: int, header_rows: int) -> pl.DataFrame:
    """Load the sheet with its own column names; the reader would silently rename duplicates and blanks."""
    last = skip_rows + header_rows
    header = book.load_sheet(sheet, header_row=None, n_rows=last, dtypes="string").to_polars()
    if header.height < last:
        raise InputError(f"The {where} is empty; a table needs a header and at least one row.")
    names = joined_names([["" if name is None else name for name in row] for row in header.rows()[skip_rows:]])
    check_names(names, f"the {where}")
    frame: pl.DataFrame = book.load_sheet(sheet, header_row=last - 1, schema_sample_rows=None).to_polars()
    return frame.rename(dict(zip(frame.columns, names, strict=True)))


def _plain_type(column: pl.Series) -> pl.Series:
    """Whole numbers as integers, midnights as dates."""
    if column.dtype.is_float() and column.is_finite().all() and (column == column.round()).all():
        return column.cast(pl.Int64, strict=False) if (column.abs() < 2**53).all() else column
    if isinstance(column.dtype, pl.Datetime) and (column.dt.time() == MIDNIGHT).all():
        return column.dt.date()
    return column


MOST_UNPACKED = 2 << 30
"""Maximum unpacked size of a workbook in bytes; a million rows of ten columns take about a quarter of it."""

MOST_TIMES = 200
"""Maximum compression ratio of a part; sheets reach 20, sheets of one repeated value 100."""

_SMALL = 16 << 20
"""Parts up to this size do no harm, however well they are compressed."""

_UTMOST = 1032
"""The highest compression ratio that deflate can reach."""

_PIECE = 1 << 20


def check_unpacked(data: bytes, name: str) -> None:
    """Check the unpacked size of a workbook's parts before a reader unpacks them.

    The sizes stated in the workbook are not trusted: unless it is too small to matter, every part is unpacked piece by
    piece, counted and discarded. O(unpacked bytes) time, at most ``MOST_UNPACKED``; O(1) memory.

    Raises:
        InputError: too large. Other faults are left to the reader, whose messages are more specific.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as book:
            parts = book.infolist()
    except (zipfile.BadZipFile, NotImplementedError, ValueError, EOFError):
        return
    is_small = _UTMOST * sum(part.compress_size for part in parts) <= _SMALL
    left = MOST_UNPACKED
    for part in parts:
        size = part.file_size if is_small else _true_size(data, part, left)
        left -= max(size, part.file_size)
        if left < 0 or (size > _SMALL and size > MOST_TIMES * max(1, part.compress_size)):
            raise InputError(
                f"{name} would unpack to far more than a table needs, as files made to exhaust memory do; "
                "save it as CSV or Parquet."
            )


def _true_size(data: bytes, part: zipfile.ZipInfo, most: int) -> int:
    """Count the bytes that a part unpacks to; stop once there are more than ``most``, or where it is damaged."""
    start = part.header_offset
    name, extra = struct.unpack("<HH", data[start + 26 : start + 30].ljust(4, b"\0"))
    packed = memoryview(data)[start + 30 + name + extra :]
    if part.compress_type != zipfile.ZIP_DEFLATED:
        return part.file_size
    engine, size, at = zlib.decompressobj(-15), 0, 0
    try:
        while at < len(packed) and not engine.eof and size <= most:
            rest: bytes | memoryview = packed[at : at + _PIECE]
            at += _PIECE
            while rest and not engine.eof and size <= most:
                size += len(engine.decompress(rest, _PIECE))
                rest = engine.unconsumed_tail
    except zlib.error:
        return size
    return size
