"""Tables of SPSS, Stata and SAS: values with the labels that they have there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

import polars as pl

from shoal.errors import InputError

_READERS: Mapping[str, tuple[str, str, dict[str, Any]]] = {
    ".sav": ("SPSS", "read_sav", {"user_missing": True}),
    ".zsav": ("SPSS", "read_sav", {"user_missing": True}),
    ".dta": ("Stata", "read_dta", {}),
    ".sas7bdat": ("SAS", "read_sas7bdat", {}),
    ".xpt": ("SAS transport", "read_xport", {}),
}
"""Which program's files these are, and how pyreadstat reads them."""


@dataclass(frozen=True)
class Meaning:
    """What the codes of a column stand for: the label of each, and which codes mean a missing value."""

    labels: Mapping[float, str]
    missing: tuple[tuple[float, float], ...] = ()

    def is_missing(self, code: float) -> bool:
        """Whether the file says so."""
        return any(low <= code <= high for low, high in self.missing)


@dataclass(frozen=True, eq=False)
class StatsTable:
    """What was read: texts where every code of a column has a label of its own, and then the codes' meanings."""

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
    file declares missing become missing values. Whole numbers become integers, empty texts missing. O(bytes).

    Raises:
        InputError: pyreadstat is not installed, or the file is not what its ending says.
    """
    library = pyreadstat(name)
    program, reader, options = _READERS[ending]
    try:
        frame, told = getattr(library, reader)(str(path), output_format="polars", **options)
    except (library.ReadstatError, library.PyreadstatError, ValueError, OverflowError) as problem:
        raise InputError(f"{name} cannot be read as a file of {program}: {str(problem).rstrip('.')}.") from None
    columns, notes, meanings = [], [], {}
    for column in frame.iter_columns():
        meaning = _meaning(column.name, told)
        if meaning is not None and _is_labelled(column, meaning):
            meanings[column.name] = meaning
            column = column.replace_strict(meaning.labels, return_dtype=pl.String)
        elif meaning is not None and meaning.missing:
            is_code = column.map_elements(meaning.is_missing, return_dtype=pl.Boolean).fill_null(value=False)
            if is_code.any():
                notes.append(
                    f"{column.name}: {is_code.sum():,} values that {name} declares missing are read as missing."
                )
                column = column.set(is_code, None)
        columns.append(_plain(column))
    return StatsTable(pl.DataFrame(columns), tuple(notes), meanings)


def _meaning(name: str, told: Any) -> Meaning | None:
    """The labels and missing codes of a column of numbers."""
    labels = {code: text for code, text in told.variable_value_labels.get(name, {}).items() if _is_number(code)}
    ranges = [(each["lo"], each["hi"]) for each in told.missing_ranges.get(name, ())]
    missing = tuple((low, high) for low, high in ranges if _is_number(low) and _is_number(high))
    return Meaning(labels, missing) if labels or missing else None


def _is_number(code: object) -> bool:
    return isinstance(code, int | float)


def _is_labelled(column: pl.Series, meaning: Meaning) -> bool:
    """Whether every value has a label, and no two the same."""
    texts = [text for text in meaning.labels.values() if text.strip()]
    if not column.dtype.is_numeric() or len(set(texts)) < len(meaning.labels):
        return False
    return set(column.drop_nulls().unique().to_list()) <= set(meaning.labels)


def _plain(column: pl.Series) -> pl.Series:
    """Whole numbers as integers, empty texts as missing."""
    if column.dtype == pl.String:
        return column.replace("", None)
    if column.dtype.is_float() and bool((column.is_null() | ((column % 1 == 0) & (column.abs() < 2**53))).all()):
        return column.cast(pl.Int64)
    return column
