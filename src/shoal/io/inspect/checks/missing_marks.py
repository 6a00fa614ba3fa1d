"""Texts that mark a missing value."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

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


def find(columns: Sequence[Sight]) -> Iterator[Advice]:
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
