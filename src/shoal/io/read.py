"""Reading a table from a file: delimited text, Parquet, Arrow, Excel, SPSS, Stata or SAS."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Unpack

import polars as pl

from shoal.errors import InputError, did_you_mean
from shoal.io.arrow_read import read_arrow, read_parquet, refuse_too_large
from shoal.io.column_rules import mark_missing, settle
from shoal.io.csv_read import read_text
from shoal.io.location import Location, ReadingOptions, check_regular, refuse_ignored
from shoal.io.stats_read import CodeMeaning, read_stats
from shoal.io.transaction import recover

TEXT = (".csv", ".tsv", ".txt")
PARQUET = (".parquet",)
ARROW = (".arrow", ".feather")
EXCEL = (".xlsx",)
STATS = (".sav", ".zsav", ".dta", ".sas7bdat", ".xpt")


@dataclass(frozen=True, eq=False)
class ReadTable:
    """A table as read, one-line remarks, the SQL types of columns that came as text, and the meaning of its codes."""

    frame: pl.DataFrame
    location: Location
    notes: tuple[str, ...] = ()
    types: Mapping[str, str] = field(default_factory=dict)
    meanings: Mapping[str, CodeMeaning] = field(default_factory=dict)


def read_frame(
    source: str | Path,
    *,
    missing_values: Sequence[str] = (),
    empty_nested: bool = False,
    folds: bool = True,
    **reading: Unpack[ReadingOptions],
) -> ReadTable:
    """Read a table; the file extension determines the format.

    ``.csv``, ``.tsv`` and ``.txt`` give columns of text, so that ``01234`` keeps its zero; an empty field is
    missing. ``.parquet``, ``.arrow``, ``.feather`` and ``.xlsx`` keep their types; categories become text, NaN
    becomes missing. ``.sav``, ``.zsav``, ``.dta``, ``.sas7bdat`` and ``.xpt`` are read by pyreadstat; codes that all
    have labels become these. O(bytes).

    Args:
        source: the path of the file.
        missing_values: texts that mean a missing value, besides the empty field.
        empty_nested: as for ``settle``.
        folds: as for ``settle``.
        reading: how to read a text or a workbook. By default a delimiter is found among ``, ; | tab``, an encoding is
            detected (UTF-8, UTF-16 with a byte-order mark, else cp1252), and the first sheet is read.

    Raises:
        InputError: the file is missing, cannot be read or is not a table.
    """
    path = Path(source).expanduser()
    kind, sheet = kind_of(path, **reading), reading.pop("sheet", None)
    recover(path.parent)
    remarks: tuple[str, ...] = ()
    with reachable(path):
        if kind == PARQUET and path.is_file():
            remarks = refuse_too_large(path)
        data = path.read_bytes()
    if not data:
        raise is_empty(path)
    if kind == TEXT:
        text = read_text(data, path.name, missing_values=missing_values, **reading)
        return ReadTable(text.read(), path, text.notes)
    meanings: Mapping[str, CodeMeaning] = {}
    if kind == STATS:
        frame, notes, meanings = read_stats(path, path.suffix.lower(), path.name)
    elif kind == EXCEL:
        from shoal.io.excel_read import read_excel

        rows = reading.get("skip_rows", 0), reading.get("header_rows", 1)
        frame, notes = read_excel(data, path.name, sheet, *rows)
    else:
        frame, notes = (read_parquet if kind == PARQUET else read_arrow)(data, path.name)
    if not frame.height:
        raise has_no_rows(path)
    settled = mark_missing(settle(frame, empty_nested=empty_nested, folds=folds), missing_values)
    return ReadTable(settled, path, (*remarks, *notes), meanings=meanings)


def file_hash(path: Path) -> str:
    """The SHA-256 of a file, in hexadecimal. O(bytes), piece by piece."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise InputError(f"Cannot read {path}: {error.strerror}.") from None


def kind_of(path: Path, **reading: Unpack[ReadingOptions]) -> tuple[str, ...]:
    """Return all extensions of the file format that the path's extension belongs to.

    Raises:
        InputError: the format is unknown, or an option would be ignored.
    """
    kind = next((kind for kind in (TEXT, PARQUET, ARROW, EXCEL, STATS) if path.suffix.lower() in kind), None)
    if kind is None and path.is_dir():
        raise InputError(f"{str(path)!r} is a folder; give a file in it.")
    if kind is None:
        known = ", ".join((*TEXT, *PARQUET, *ARROW, *EXCEL, *STATS))
        found = f"the ending {path.suffix!r}" if path.suffix else "no ending"
        raise InputError(f"Cannot tell what kind of table {path.name!r} is: it has {found}; known are {known}.")
    rows = {"skip_rows", "header_rows"}
    used = {TEXT: {"delimiter", "encoding", "quote", *rows}, EXCEL: {"sheet", *rows}}.get(kind, set())
    refuse_ignored(reading, used, path.name)
    return kind


@contextmanager
def reachable(path: Path) -> Iterator[None]:
    """Turn an OSError into an InputError that says why a file cannot be read."""
    try:
        check_regular(path)
        yield
    except FileNotFoundError:
        raise InputError(f"There is no file {str(path)!r}.{_neighbours(path)}") from None
    except IsADirectoryError:
        raise InputError(f"{str(path)!r} is a folder; give a file in it.") from None
    except PermissionError:
        raise InputError(f"You may not read {str(path)!r}; ask its owner for permission.") from None
    except OSError as error:
        raise InputError(f"Cannot read {str(path)!r}: {error.strerror or error}.") from None


def is_empty(path: Path) -> InputError:
    """The error for a file of zero bytes."""
    return InputError(f"{path.name} is empty; a table needs a header and at least one row.")


def has_no_rows(path: Path) -> InputError:
    """The error for a table without rows."""
    return InputError(f"{path.name} has columns but no rows; a table needs at least one row.")


def _neighbours(path: Path) -> str:
    """A hint at a file with a similar name, or at the missing folder."""
    if not path.parent.is_dir():
        return f" Its folder {str(path.parent)!r} does not exist either."
    return did_you_mean(path.name, sorted(entry.name for entry in path.parent.iterdir() if entry.is_file()))
