"""Reading SPSS, Stata and SAS files: values with their labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib import import_module
from pathlib import Path
from typing import Any

import polars as pl

from shoal.errors import InputError

_READERS: Mapping[str, tuple[str, str, dict[str, Any]]] = {
    ".sav": ("SPSS", "read_sav", {"user_missing": True}),
    ".zsav": ("SPSS", "read_sav", {"user_missing": True}),
    ".dta": ("Stata", "read_dta", {"user_missing": True}),
    ".sas7bdat": ("SAS", "read_sas7bdat", {"user_missing": True}),
    ".xpt": ("SAS transport", "read_xport", {}),
}
"""The program that each extension belongs to, and the pyreadstat function that reads it."""


Code = float | str
"""A code in a labelled column: a number, or the lower-case letter of an extended missing value (.a) in Stata or SAS."""


@dataclass(frozen=True)
class CodeMeaning:
    """The meaning of a column's codes: the label of each, and which codes mean a missing value.

    ``codes`` holds the code of every row whose value is missing by a code, in the order of the file; ``only`` is the
    code that all missing values of a numeric column had, if there was just one. A column of texts (``is_text``) keeps
    its texts, including those that SPSS declares missing.
    """

    labels: Mapping[Code, str]
    missing: tuple[tuple[Code, Code], ...] = ()
    only: Code | None = None
    is_text: bool = False
    codes: pl.Series | None = field(default=None, compare=False, repr=False)

    @property
    def found(self) -> list[str]:
        """The codes of missing values that occur in some row, as texts, in order."""
        present = [] if self.codes is None else self.codes.drop_nulls().unique().sort().to_list()
        return [code if isinstance(code, str) else f"{code:g}" for code in present]

    def is_missing(self, code: Code) -> bool:
        """Whether the file declares the code missing; letters among numbers always are."""
        if self.is_text:
            return any(code == text for text, _ in self.missing)
        return isinstance(code, str) or any(
            low <= code <= high for low, high in self.missing if not isinstance(low, str) and not isinstance(high, str)
        )


def pyreadstat(name: str) -> Any:
    """Import pyreadstat; InputError if it is not installed."""
    try:
        return import_module("pyreadstat")
    except ImportError:
        raise InputError(
            f"{name} is a file of SPSS, Stata or SAS, which needs pyreadstat: pip install 'shoal[stats]'."
        ) from None


def read_stats(path: Path, ending: str, name: str) -> tuple[pl.DataFrame, tuple[str, ...], dict[str, CodeMeaning]]:
    """The table in a file, remarks and the codes' meanings; ``ending`` tells the program, ``name`` is for messages.

    A column in which every value has a label of its own becomes a column of these labels. In any other, codes that the
    file declares missing become missing values; the code of each such row is kept for writing, and so are the labels of
    other codes. Texts stay texts, and their labels are kept for writing. For SAS, labels come from a catalog beside the
    table (``name.sas7bcat``, else ``formats.sas7bcat``). Whole numbers become integers, empty texts missing. O(bytes).

    Raises:
        InputError: pyreadstat is not installed, or the file does not match its extension.
    """
    library = pyreadstat(name)
    program, reader, options = _READERS[ending]
    frame, told = _opened(library, reader, path, name, program, output_format="polars", **options)
    labels = told.variable_value_labels
    if ending == ".sas7bdat" and (catalog := _catalog(path)) is not None:
        _, formats = _opened(library, "read_sas7bcat", catalog, catalog.name, "SAS formats")
        labels = _labels_of_formats(told.variable_to_label, formats.value_labels)
    columns, notes, meanings = [], [], {}
    for read in frame.iter_columns():
        column = _of_numbers(read, told.readstat_variable_types[read.name])
        meaning = _meaning(column, labels.get(column.name, {}), told.missing_ranges.get(column.name, ()))
        if meaning is not None:
            if not meaning.is_text and _is_labelled(column, meaning):
                column = _labelled(column, meaning)
            elif not meaning.is_text:
                column, meaning = _without_codes(column, meaning)
                notes += _read_as_missing(column.name, meaning, name)
            meanings[column.name] = meaning
        columns.append(_plain(column))
    return pl.DataFrame(columns), tuple(notes), meanings


def _of_numbers(column: pl.Series, kind: str) -> pl.Series:
    """The column as numbers and letters if its variable holds numbers; if all are letters it looks like texts."""
    if column.dtype != pl.String or kind.startswith("string"):
        return column
    return pl.Series(column.name, column.to_list(), pl.Object)


def _opened(library: Any, reader: str, path: Path, name: str, program: str, **options: Any) -> tuple[Any, Any]:
    """Call pyreadstat, turning its errors into an InputError."""
    try:
        read: tuple[Any, Any] = getattr(library, reader)(str(path), **options)
    except (library.ReadstatError, library.PyreadstatError, ValueError, OverflowError) as problem:
        raise InputError(f"{name} cannot be read as a file of {program}: {str(problem).rstrip('.')}.") from None
    return read


def _catalog(path: Path) -> Path | None:
    """The catalog of SAS formats beside a table, if there is one."""
    places = (path.with_suffix(".sas7bcat"), path.with_name("formats.sas7bcat"))
    return next((place for place in places if place.is_file()), None)


def _labels_of_formats(formats: Mapping[str, str], catalog: Mapping[str, dict[Any, str]]) -> dict[str, dict[Any, str]]:
    """The labels of each column by its format. Names of SAS formats never end in a digit: digits are the field width.

    >>> _labels_of_formats({"sex": "sexf8.", "seen": "DATE9"}, {"SEXF": {1.0: "woman"}})
    {'sex': {1.0: 'woman'}}
    """
    known = {name.upper(): labels for name, labels in catalog.items()}
    named = {column: said.upper().rstrip(".0123456789") for column, said in formats.items()}
    return {column: known[said] for column, said in named.items() if said in known}


def _without_codes(column: pl.Series, meaning: CodeMeaning) -> tuple[pl.Series, CodeMeaning]:
    """Replace a numeric column's codes for missing values by missing; the meaning keeps the code of each row."""
    is_code = pl.Series([code is not None and meaning.is_missing(code) for code in column.to_list()], dtype=pl.Boolean)
    if column.dtype == pl.Object:
        given = list(zip(column.to_list(), is_code, strict=True))
        codes = pl.Series(column.name, [code.lower() if gone else None for code, gone in given], pl.String)
        column = pl.Series(column.name, [None if gone else code for code, gone in given], pl.Float64)
    else:
        codes, column = column.set(~is_code, None), column.set(is_code, None)
    if codes.null_count() == len(codes):
        return column, meaning
    present = codes.drop_nulls()
    has_one = present.n_unique() == 1 and len(present) == column.null_count()
    return column, replace(meaning, codes=codes, only=present[0] if has_one else None)


def _read_as_missing(column: str, meaning: CodeMeaning, name: str) -> list[str]:
    """The remark on codes that are read as missing values, if there are any."""
    if meaning.codes is None:
        return []
    codes, n_values = meaning.found, len(meaning.codes) - meaning.codes.null_count()
    named = f" (codes {', '.join(codes)})" if len(codes) > 1 else ""
    return [f"{column}: {n_values:,} values that {name} declares missing are read as missing{named}."]


def _meaning(column: pl.Series, known: Mapping[Any, str], ranges: Sequence[Mapping[str, Any]]) -> CodeMeaning | None:
    """The labels and missing codes of a column in the file; None if it has neither."""
    if column.dtype == pl.String:
        texts: dict[Code, str] = {str(code): text for code, text in known.items()}
        gone = [str(each["lo"]) for each in ranges if each["lo"] == each["hi"]]
        return CodeMeaning(texts, tuple((text, text) for text in gone), is_text=True) if texts or gone else None
    if not column.dtype.is_numeric() and column.dtype != pl.Object:
        return None
    labels = {_lower(code): text for code, text in known.items() if _is_code(code)}
    missing = tuple((each["lo"], each["hi"]) for each in ranges if _is_number(each["lo"]) and _is_number(each["hi"]))
    return CodeMeaning(labels, missing) if labels or missing or column.dtype == pl.Object else None


def _is_number(code: object) -> bool:
    return isinstance(code, int | float)


def _is_code(code: object) -> bool:
    return _is_number(code) or (isinstance(code, str) and len(code) == 1)


def _lower(code: Any) -> Any:
    """Letters in lower case, as in Stata; SAS has capitals."""
    return code.lower() if isinstance(code, str) else code


def _is_labelled(column: pl.Series, meaning: CodeMeaning) -> bool:
    """Whether every value has a label, and no two share one."""
    texts = [text for text in meaning.labels.values() if text.strip()]
    if not texts or len(set(texts)) < len(meaning.labels):
        return False
    return {_lower(code) for code in column.to_list() if code is not None} <= set(meaning.labels)


def _labelled(column: pl.Series, meaning: CodeMeaning) -> pl.Series:
    """Replace codes by their labels."""
    if column.dtype == pl.Object:
        return pl.Series(column.name, [meaning.labels.get(_lower(code)) for code in column.to_list()], pl.String)
    numbers = {code: text for code, text in meaning.labels.items() if _is_number(code)}
    return column.replace_strict(numbers, return_dtype=pl.String)


def _plain(column: pl.Series) -> pl.Series:
    """Convert whole numbers to integers and empty texts to missing."""
    if column.dtype == pl.String:
        return column.replace("", None)
    if column.dtype.is_float() and bool((column.is_null() | ((column % 1 == 0) & (column.abs() < 2**53))).all()):
        return column.cast(pl.Int64)
    return column
