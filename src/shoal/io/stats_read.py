"""Tables of SPSS, Stata and SAS: values with the labels that they have there."""

from __future__ import annotations

from collections.abc import Mapping
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
"""Which program's files these are, and how pyreadstat reads them."""


Code = float | str
"""A value of a labelled column: a number, or the letter of an extended missing value of Stata or SAS, as in .a."""


@dataclass(frozen=True)
class Meaning:
    """What the codes of a column stand for: the label of each, and which codes mean a missing value.

    ``only`` is the one code that every missing value of a column of numbers had, where there was but one. A column of
    texts (``is_text``) keeps its texts, those that SPSS declares missing among them.
    """

    labels: Mapping[Code, str]
    missing: tuple[tuple[Code, Code], ...] = ()
    only: Code | None = None
    is_text: bool = False

    def is_missing(self, code: Code) -> bool:
        """Whether the file says so; letters among numbers always do."""
        if self.is_text:
            return any(code == text for text, _ in self.missing)
        return isinstance(code, str) or any(
            low <= code <= high for low, high in self.missing if not isinstance(low, str) and not isinstance(high, str)
        )


@dataclass(frozen=True, eq=False)
class StatsTable:
    """What was read: texts where every code of a column has a label of its own; and what codes mean."""

    frame: pl.DataFrame
    notes: tuple[str, ...] = ()
    meanings: Mapping[str, Meaning] = field(default_factory=dict)


def pyreadstat(name: str) -> Any:
    """The library; InputError where it is not installed."""
    try:
        return import_module("pyreadstat")
    except ImportError:
        raise InputError(
            f"{name} is a file of SPSS, Stata or SAS, which needs pyreadstat: pip install 'shoal[stats]'."
        ) from None


def read_stats(path: Path, ending: str, name: str) -> StatsTable:
    """Read a file; ``ending`` says of which program it is, ``name`` how messages call it.

    A column in which every value has a label of its own becomes a column of these labels. In any other, codes that the
    file declares missing become missing values; labels of its other codes are kept for writing. Texts stay texts, and
    their labels are kept for writing. Of SAS, a catalog beside the table (``name.sas7bcat``, else ``formats.sas7bcat``)
    has the labels. Whole numbers become integers, empty texts missing. O(bytes).

    Raises:
        InputError: pyreadstat is not installed, or the file is not what its ending says.
    """
    library = pyreadstat(name)
    program, reader, options = _READERS[ending]
    if ending == ".sas7bdat" and (catalog := _catalog(path)) is not None:
        options = {**options, "catalog_file": str(catalog), "formats_as_category": False}
    try:
        frame, told = getattr(library, reader)(str(path), output_format="polars", **options)
    except (library.ReadstatError, library.PyreadstatError, ValueError, OverflowError) as problem:
        raise InputError(f"{name} cannot be read as a file of {program}: {str(problem).rstrip('.')}.") from None
    columns, notes, meanings = [], [], {}
    for column in frame.iter_columns():
        meaning = _meaning(column, told)
        if meaning is not None and not meaning.is_text and _is_labelled(column, meaning):
            column = _labelled(column, meaning)
        elif meaning is not None and not meaning.is_text:
            is_code = pl.Series([code is not None and meaning.is_missing(code) for code in column.to_list()])
            found = {*column.to_frame().filter(is_code).to_series().to_list()}
            if found:
                notes.append(_merged(column.name, int(is_code.sum()), found, name))
            if len(found) == 1 and not column.null_count():
                meaning = replace(meaning, only=found.pop())
            kept = [None if is_missing else code for code, is_missing in zip(column, is_code, strict=True)]
            column = (
                pl.Series(column.name, kept, pl.Float64) if column.dtype == pl.Object else column.set(is_code, None)
            )
        if meaning is not None:
            meanings[column.name] = meaning
        columns.append(_plain(column))
    return StatsTable(pl.DataFrame(columns), tuple(notes), meanings)


def _catalog(path: Path) -> Path | None:
    """The catalog of SAS formats beside a table."""
    places = (path.with_suffix(".sas7bcat"), path.with_name("formats.sas7bcat"))
    return next((place for place in places if place.is_file()), None)


def _merged(column: str, n_values: int, found: set[Code], name: str) -> str:
    """What is told of codes that are read as missing values."""
    said = f"{column}: {n_values:,} values that {name} declares missing are read as missing"
    if len(found) == 1:
        return f"{said}."
    codes = ", ".join(f"{code:g}" if not isinstance(code, str) else code for code in sorted(found, key=str))
    return f"{said}; there are several such codes ({codes}), and which of them a value had is not kept."


def _meaning(column: pl.Series, told: Any) -> Meaning | None:
    """The labels and missing codes of a column; None where it has neither."""
    if column.dtype == pl.String:
        known = told.variable_value_labels.get(column.name, {})
        texts: dict[Code, str] = {str(code): text for code, text in known.items()}
        gone = [str(each["lo"]) for each in told.missing_ranges.get(column.name, ()) if each["lo"] == each["hi"]]
        return Meaning(texts, tuple((text, text) for text in gone), is_text=True) if texts or gone else None
    if not column.dtype.is_numeric() and column.dtype != pl.Object:
        return None
    labels = {code: text for code, text in told.variable_value_labels.get(column.name, {}).items() if _is_code(code)}
    ranges = [(each["lo"], each["hi"]) for each in told.missing_ranges.get(column.name, ())]
    missing = tuple((low, high) for low, high in ranges if _is_number(low) and _is_number(high))
    return Meaning(labels, missing) if labels or missing or column.dtype == pl.Object else None


def _is_number(code: object) -> bool:
    return isinstance(code, int | float)


def _is_code(code: object) -> bool:
    return _is_number(code) or (isinstance(code, str) and len(code) == 1)


def _is_labelled(column: pl.Series, meaning: Meaning) -> bool:
    """Whether every value has a label, and no two the same."""
    texts = [text for text in meaning.labels.values() if text.strip()]
    if not texts or len(set(texts)) < len(meaning.labels):
        return False
    return {code for code in column.to_list() if code is not None} <= set(meaning.labels)


def _labelled(column: pl.Series, meaning: Meaning) -> pl.Series:
    """The labels of codes."""
    if column.dtype == pl.Object:
        return pl.Series(column.name, [meaning.labels.get(code) for code in column.to_list()], pl.String)
    numbers = {code: text for code, text in meaning.labels.items() if _is_number(code)}
    return column.replace_strict(numbers, return_dtype=pl.String)


def _plain(column: pl.Series) -> pl.Series:
    """Whole numbers as integers, empty texts as missing."""
    if column.dtype == pl.String:
        return column.replace("", None)
    if column.dtype.is_float() and bool((column.is_null() | ((column % 1 == 0) & (column.abs() < 2**53))).all()):
        return column.cast(pl.Int64)
    return column
