"""What a table itself says about the words to mask: the names in its identifiers, and each row's own values."""

from __future__ import annotations

import re
from collections.abc import Iterable

import polars as pl

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_TOKEN = re.compile(r"[\w/-]*\d[\w/-]*")
LONGEST_NAME, MOST_WORDS, SHORTEST_NAME = 60, 6, 2
"""Characters and words of an identifier that may be a name, and letters of each word."""

_SHORTEST_OWN = 3


def names_in(values: Iterable[str | None]) -> frozenset[str]:
    """The words of identifiers, in small letters; values as long as sentences name nobody by themselves."""
    return frozenset(
        word.casefold()
        for value in values
        if value is not None and len(value) <= LONGEST_NAME
        for words in [_WORD.findall(value)]
        if len(words) <= MOST_WORDS
        for word in words
        if len(word) >= SHORTEST_NAME
    )


def own_words(values: Iterable[str | None]) -> frozenset[str]:
    """What one row's own values may look like inside its text: their words, and numbers and codes as a whole."""
    found: set[str] = set()
    for value in values:
        if value is None or len(value) > LONGEST_NAME:
            continue
        text = value.removesuffix(".0").casefold().strip()
        found.update(word for word in _WORD.findall(text) if len(word) >= _SHORTEST_OWN)
        if len(text) > 1 and _TOKEN.fullmatch(text):
            found.add(text)
    return frozenset(found)


def as_texts(values: pl.Series) -> pl.Series:
    """The values of a column as they may stand in a text: of a date its year, as rules find whole dates."""
    if values.dtype in (pl.Date, pl.Datetime):
        return values.dt.year().cast(pl.String)
    return values.cast(pl.String)
