"""Missing values: texts that mark them, and numeric codes for them, found because they are outliers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import numpy as np
import polars as pl

from shoal.core.arrays import Flags, Floats, Offsets
from shoal.io.inspect import hints
from shoal.io.inspect.column_values import Advice, Sight

_WRITTEN = (
    "na|n/a|n.a.|nan|null|nil|?|??|-|--|---|.|..|*|unknown|unk|missing|not available|not known|not stated|no answer|"
    "unbekannt|keine angabe|k.a.|k. a.|k.a|unbek.|inconnu|inconnue|non renseigné|non renseigne|nr|n.r.|ne sait pas|"
    "desconocido|desconocida|sin dato|sin datos|s/d|no consta|ns/nc|sconosciuto|non noto|non disponibile|n.d.|nd|"
    "onbekend|geen antwoord|n.v.t.|#n/a|#null!|#value!|#div/0!|<na>|none given"
)
MARKS = frozenset(_WRITTEN.split("|"))
"""Common spellings of "not known", in lower case."""

_COUNTRY = re.compile(r"[A-Z]{2}")

_BELOW = [-7.0, -8.0, -9.0, -77.0, -88.0, -99.0, -777.0, -888.0, -999.0, -9999.0, -99999.0]
_ABOVE = [9.0, 88.0, 97.0, 98.0, 99.0, 888.0, 998.0, 999.0, 8888.0, 9998.0, 9999.0]
_OFTEN = 3
_FAR = 1.5
_OLDEST = 97


def find_marks(columns: Sequence[Sight]) -> Iterator[Advice]:
    """Find marks for missing values; a mark that is a country code in another column is set per column."""
    found = {column.name: marks for column in columns if (marks := _marks(column))}
    kept = {mark for column in columns if _is_countries(column) for mark in column.texts}
    for name, marks in found.items():
        shown = ", ".join(map(repr, marks))
        what = f"{name!r} holds {shown}, which {'stands' if len(marks) == 1 else 'stand'} for a missing value."
        if kept & {*marks}:
            yield Advice((name,), what, {"missing_codes": {name: marks}})
        else:
            yield Advice((name,), what, {"missing_values": marks})


def _marks(column: Sight) -> list[str]:
    if not column.is_text or column.n_distinct < 3 or _is_countries(column):
        return []
    return sorted(column.texts.filter(column.texts.str.to_lowercase().is_in(sorted(MARKS))))


def _is_countries(column: Sight) -> bool:
    """Whether the values are two-letter country codes, among which NA is Namibia."""
    return column.is_text and column.n_distinct > 4 and all(_COUNTRY.fullmatch(text) for text in column.sample)


def find_codes(columns: Sequence[Sight]) -> Iterator[Advice]:
    """Find codes such as -9 among numbers that are otherwise not negative, and 99 or 999 far above all others.

    A code must be a number of that form, occur at least twice, and lie outside the other values: below zero, 1.5 times
    the next value or more, or, among ages, beyond any possible age.
    """
    for column in columns:
        codes = _codes(column)
        if codes:
            shown, verb = ", ".join(codes), "stands" if len(codes) == 1 else "stand"
            what = f"{column.name!r} holds {shown}, far from its other values, which probably {verb} for missing."
            yield Advice((column.name,), what, {"missing_codes": {column.name: codes}})


def _codes(column: Sight) -> list[str]:
    if column.kind != "numeric" or column.n_distinct < 3:
        return []
    numbers: Floats = column.numbers.fill_null(np.nan).to_numpy()
    counts: Offsets = column.counts.to_numpy().astype(np.int64)
    below: Flags = np.isin(numbers, _BELOW) & (counts >= 2)
    if below.any() and int((numbers < 0).sum()) == int(below.sum()):
        return _texts(column, below)
    above: Flags = np.isin(numbers, _ABOVE)
    if not above.any():
        return []
    return _texts(column, _far_above(numbers, counts, above, is_age=hints.has(hints.AGES, column.normal)))


def _texts(column: Sight, flags: Flags) -> list[str]:
    return sorted(column.texts.filter(pl.Series(flags)).to_list(), key=float)


def _far_above(numbers: Floats, counts: Offsets, is_code: Flags, *, is_age: bool) -> Flags:
    """Flag the highest values that are codes, from the top down, as long as each lies far above the rest."""
    rest = numbers[~is_code & ~np.isnan(numbers)]
    nothing: Flags = np.zeros(numbers.size, np.bool_)
    if rest.size < 2 or rest.max() >= numbers[is_code].max():
        return nothing
    top = float(rest.max())
    far: Flags = is_code & (numbers >= _FAR * top) & (numbers >= top + 2) & (counts >= 2)
    if far.any() and int(far.sum()) == int((is_code & (numbers > top)).sum()):
        return far
    usual = float(counts[~is_code & (numbers >= top - 5)].mean())
    heap: Flags = is_code & (numbers >= max(_OLDEST, top + 2)) & (counts >= _OFTEN * usual)
    return heap if is_age else nothing
