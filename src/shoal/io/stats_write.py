"""Writing a table as an SPSS, Stata or SAS file."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from shoal.errors import InputError
from shoal.io.excel_write import is_in_milliseconds
from shoal.io.stats_read import Code, CodeMeaning, pyreadstat, read_stats

_PROGRAMS = {".sav": "SPSS", ".dta": "Stata", ".xpt": "SAS"}
_WRITERS = {".sav": "write_sav", ".dta": "write_dta", ".xpt": "write_xport"}
_NAMES = {
    ".sav": re.compile(r"[^\W\d_][\w.@#$]{0,63}"),
    ".dta": re.compile(r"[^\W\d]\w{0,31}"),
    ".xpt": re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,31}"),
}
"""The column names that each format allows."""

_MOMENTS: Mapping[str, tuple[tuple[bytes, bytes], ...]] = {
    ".sav": ((rb"\A(.{92}).{17}", rb"\g<1>01 Jan 0000:00:00"),),
    ".dta": ((rb"(<timestamp>\x11).{17}", rb"\g<1>01 Jan 2000 00:00"),),
    ".xpt": ((rb"\d\d[A-Z]{3}\d\d:\d\d:\d\d:\d\d", rb"01JAN00:00:00:00"),),
}
"""Where a file records when it was written, and the fixed text to put there instead."""

_HEADER = 4096
_MOST_DISCRETE = 3
_UNDERSCORE = "_"
"""The only extended missing value of SAS that Stata lacks."""


def write_stats(
    frame: pl.DataFrame,
    path: Path,
    ending: str,
    meanings: Mapping[str, CodeMeaning] | None = None,
    codes: Mapping[str, pl.Series] | None = None,
) -> None:
    """Write the table; the same table always gives the same bytes.

    Columns of labels whose codes are known from ``meanings`` are written as codes again, and numeric columns keep the
    labels of their codes, but only of codes that occur in the table (SAS files hold no labels, so labels stay texts
    there). Codes that were declared missing are declared so again: numbers in SPSS, letters in Stata. Missing numbers
    get the code that ``codes`` has for their row, or the only code that the column had. No file label, note or time of
    writing is kept. O(cells).

    Raises:
        InputError: pyreadstat is not installed, or the program could not read these names or values.
    """
    library = pyreadstat(path.name)
    for name in frame.columns:
        if not _NAMES[ending].fullmatch(name):
            raise InputError(f"{_PROGRAMS[ending]} files cannot have a column {name!r}; rename it, or write .csv.")
    told = {} if ending == ".xpt" else {name: own for name, own in (meanings or {}).items() if name in frame.columns}
    known = {name: own for name, own in told.items() if _fits(frame[name], own, ending)}
    filled = pl.DataFrame([_filled(column, known.get(column.name), ending, codes or {}) for column in frame])
    coded = pl.DataFrame([_coded(column, known.get(column.name)) for column in filled])
    present = {name: _present(coded[name]) for name in known}
    used = {name: {_whole(c): own.labels[c] for c in present[name] if c in own.labels} for name, own in known.items()}
    options: dict[str, dict[str, Any]] = {"variable_value_labels": used}
    missing = {name: [code for code in present[name] if own.is_missing(code)] for name, own in known.items()}
    if ending == ".sav":
        options["missing_ranges"] = {name: _declared(coded[name], gone) for name, gone in missing.items() if gone}
    if ending == ".dta":
        letters = {name: [code for code in gone if isinstance(code, str)] for name, gone in missing.items()}
        options["missing_user_values"] = letters
    options = {word: {name: own for name, own in said.items() if own} for word, said in options.items()}
    options = {word: said for word, said in options.items() if said}
    try:
        getattr(library, _WRITERS[ending])(coded, str(path), **options)
    except (library.ReadstatError, library.PyreadstatError) as problem:
        _ask_the_system(path)
        raise InputError(f"{_PROGRAMS[ending]} files cannot hold this table: {str(problem).rstrip('.')}.") from None
    if read_stats(path, ending, path.name)[0].height != frame.height:  # a full disk raises no error
        _ask_the_system(path)
        raise InputError(f"The {_PROGRAMS[ending]} file was not written completely; write .csv or .parquet instead.")
    _forget_when(path, ending)


def _ask_the_system(path: Path) -> None:
    """Raise the operating system's own error if nothing more can be written."""
    with path.open("ab") as file:
        file.write(bytes(_HEADER))


def _fits(column: pl.Series, meaning: CodeMeaning, ending: str) -> bool:
    """Whether codes still apply: all values are known labels, or numbers; letters need Stata, text labels SPSS.

    They do not if some number, made by a form or a preparation step, equals a code that the file declared missing.
    """
    if meaning.is_text:
        return column.dtype == pl.String and ending == ".sav"
    if column.dtype != pl.String:
        return column.dtype.is_numeric() and not any(map(meaning.is_missing, column.drop_nulls().unique()))
    codes = {text: code for code, text in meaning.labels.items()}
    found = set(column.drop_nulls().unique().to_list())
    return found <= codes.keys() and (ending == ".dta" or all(not isinstance(codes[text], str) for text in found))


def _filled(column: pl.Series, meaning: CodeMeaning | None, ending: str, codes: Mapping[str, pl.Series]) -> pl.Series:
    """Fill in the codes of a numeric column's missing values if the program has such codes: only letters in Stata."""
    if meaning is None or not column.dtype.is_numeric() or not column.null_count():
        return column
    own = codes.get(column.name)
    if own is None:
        own = pl.Series([meaning.only] * len(column), dtype=pl.String if isinstance(meaning.only, str) else pl.Float64)
    if (own.dtype == pl.String) != (ending == ".dta") or len(own) != len(column):
        return column
    gone = [None if code == _UNDERSCORE else _whole(code) for code in own.to_list()]
    both = zip(column.to_list(), gone, strict=True)
    return _typed(column.name, [code if number is None else number for number, code in both])


def _coded(column: pl.Series, meaning: CodeMeaning | None) -> pl.Series:
    """Convert the column to a type that these programs have."""
    if column.dtype == pl.Object or (meaning is not None and meaning.is_text):
        return column
    if meaning is not None and column.dtype == pl.String:
        codes = {text: _whole(code) for code, text in meaning.labels.items()}
        return _typed(column.name, [codes.get(text) for text in column.to_list()])
    if isinstance(column.dtype, pl.Datetime):
        plain = column.dt.replace_time_zone(None).dt.cast_time_unit("us")
        return plain if is_in_milliseconds(column) else column.cast(pl.String)
    if column.dtype.is_integer():
        return column.cast(pl.Int64) if column.cast(pl.Int128).abs().max() in range(2**53) else column.cast(pl.String)
    return column.cast(pl.String) if column.dtype == pl.Null else column


def _typed(name: str, codes: list[Any]) -> pl.Series:
    """Codes as numbers, or as objects if letters are among them."""
    if any(isinstance(code, str) for code in codes):
        return pl.Series(name, codes, pl.Object)
    is_whole = all(code is None or isinstance(code, int) for code in codes)
    return pl.Series(name, codes, pl.Int64 if is_whole else pl.Float64)


def _whole(code: Any) -> Any:
    """Convert whole numbers to integers."""
    return int(code) if isinstance(code, float) and code == int(code) else code


def _present(codes: pl.Series) -> list[Code]:
    """The codes that occur in some record."""
    return list(dict.fromkeys(code for code in codes.to_list() if code is not None))


def _declared(column: pl.Series, codes: Sequence[Code]) -> list[Any]:
    """Declare missing codes in the form that SPSS allows: up to three, or a range and at most one more.

    Raises:
        InputError: there are more, with values between them that are not missing.
    """
    if len(codes) <= _MOST_DISCRETE:
        return list(codes)
    numbers = [code for code in codes if not isinstance(code, str)]
    others = [one for one in _present(column) if not isinstance(one, str) and one not in numbers]
    for apart in (None, *numbers):
        kept = [code for code in numbers if code != apart]
        if not any(min(kept) <= one <= max(kept) for one in others):
            return [{"lo": min(kept), "hi": max(kept)}, *([] if apart is None else [apart])]
    raise InputError(
        f"SPSS files declare three codes of a column or a range of them missing, and {column.name!r} has {len(codes)}; "
        "write .dta, .parquet or .csv."
    )


def _forget_when(path: Path, ending: str) -> None:
    """Overwrite the time of writing in the header, keeping its length."""
    with path.open("r+b") as file:
        header = file.read(_HEADER)
        for pattern, instead in _MOMENTS[ending]:
            header = re.sub(pattern, instead, header, flags=re.S)
        file.seek(0)
        file.write(header)
