"""A table as a file of SPSS, Stata or SAS."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import polars as pl

from shoal.errors import InputError
from shoal.io.excel_write import is_in_milliseconds
from shoal.io.stats_read import Meaning, pyreadstat, read_stats

_PROGRAMS = {".sav": "SPSS", ".dta": "Stata", ".xpt": "SAS"}
_WRITERS = {".sav": "write_sav", ".dta": "write_dta", ".xpt": "write_xport"}
_NAMES = {
    ".sav": re.compile(r"[^\W\d_][\w.@#$]{0,63}"),
    ".dta": re.compile(r"[^\W\d]\w{0,31}"),
    ".xpt": re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,31}"),
}
"""What columns may be called."""

_MOMENTS: Mapping[str, tuple[tuple[bytes, bytes], ...]] = {
    ".sav": ((rb"\A(.{92}).{17}", rb"\g<1>01 Jan 0000:00:00"),),
    ".dta": ((rb"(<timestamp>\x11).{17}", rb"\g<1>01 Jan 2000 00:00"),),
    ".xpt": ((rb"\d\d[A-Z]{3}\d\d:\d\d:\d\d:\d\d", rb"01JAN00:00:00:00"),),
}
"""Where a file says when it was made, and what it says instead: that is nobody's business."""

_HEADER = 4096


def write_stats(frame: pl.DataFrame, path: Path, ending: str, meanings: Mapping[str, Meaning] | None = None) -> None:
    """Write the table; the same table gives the same bytes.

    Columns of labels whose codes are known from ``meanings`` become these codes again, with the labels of those codes
    that the table has and no others (SAS files hold no labels: there they stay texts). Codes that were declared missing
    are so again in SPSS. No file label, note or time of writing is kept. O(cells).

    Raises:
        InputError: pyreadstat is not installed, or the program could not read such names or values.
    """
    library = pyreadstat(path.name)
    for name in frame.columns:
        if not _NAMES[ending].fullmatch(name):
            raise InputError(f"{_PROGRAMS[ending]} files cannot have a column {name!r}; rename it, or write .csv.")
    known = {} if ending == ".xpt" else {name: own for name, own in (meanings or {}).items() if _fits(frame, name, own)}
    coded = pl.DataFrame([_coded(column, known.get(column.name)) for column in frame.iter_columns()])
    used = {name: _used(coded[name], meaning) for name, meaning in known.items()}
    options: dict[str, Any] = {"variable_value_labels": used} if used else {}
    if ending == ".sav":
        missing = {name: [code for code in used[name] if own.is_missing(code)] for name, own in known.items()}
        options["missing_ranges"] = {name: codes[:3] for name, codes in missing.items() if 0 < len(codes) <= 3} or None
    try:
        getattr(library, _WRITERS[ending])(coded, str(path), **options)
    except (library.ReadstatError, library.PyreadstatError) as problem:
        _ask_the_system(path)
        raise InputError(f"{_PROGRAMS[ending]} files cannot hold this table: {str(problem).rstrip('.')}.") from None
    if read_stats(path, ending, path.name).frame.height != frame.height:  # a disk that is full goes unnoticed
        _ask_the_system(path)
        raise InputError(f"The {_PROGRAMS[ending]} file was not written completely; write .csv or .parquet instead.")
    _forget_when(path, ending)


def _ask_the_system(path: Path) -> None:
    """Raise the operating system's own error where nothing more can be written."""
    with path.open("ab") as file:
        file.write(bytes(_HEADER))


def _fits(frame: pl.DataFrame, name: str, meaning: Meaning) -> bool:
    """Whether a column is still made of labels alone."""
    if name not in frame.columns or frame[name].dtype != pl.String:
        return False
    return set(frame[name].drop_nulls().unique().to_list()) <= set(meaning.labels.values())


def _coded(column: pl.Series, meaning: Meaning | None) -> pl.Series:
    """The column in a type that these programs have."""
    if meaning is not None:
        codes = {text: code for code, text in meaning.labels.items()}
        column = column.replace_strict(codes, return_dtype=pl.Float64)
        return column.cast(pl.Int64) if all(code == int(code) for code in codes.values()) else column
    if isinstance(column.dtype, pl.Datetime):
        plain = column.dt.replace_time_zone(None).dt.cast_time_unit("us")
        return plain if is_in_milliseconds(column) else column.cast(pl.String)
    if column.dtype.is_integer():
        return column.cast(pl.Int64) if column.cast(pl.Int128).abs().max() in range(2**53) else column.cast(pl.String)
    return column.cast(pl.String) if column.dtype == pl.Null else column


def _used(codes: pl.Series, meaning: Meaning) -> dict[float, str]:
    """The labels of codes that some record has."""
    present = set(codes.drop_nulls().unique().to_list())
    return {
        (int(code) if code == int(code) else code): text for code, text in meaning.labels.items() if code in present
    }


def _forget_when(path: Path, ending: str) -> None:
    """Overwrite the time of writing, byte by byte, in the header alone."""
    with path.open("r+b") as file:
        header = file.read(_HEADER)
        for pattern, instead in _MOMENTS[ending]:
            header = re.sub(pattern, instead, header, flags=re.S)
        file.seek(0)
        file.write(header)
