"""Words to mask that the table itself provides: the names in its identifiers, and each row's own values."""

from __future__ import annotations

import re
from collections.abc import Iterable

import polars as pl

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_TOKEN = re.compile(r"[\w/-]*\d[\w/-]*")
LONGEST_NAME, MOST_WORDS, SHORTEST_NAME = 60, 6, 2
"""Maximum characters and words of an identifier that may be a name, and minimum letters of each word."""

_SHORTEST_OWN = 3


def names_in(values: Iterable[str | None]) -> frozenset[str]:
    """The words of identifiers, in lower case; values as long as sentences are skipped."""
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
    """How a row's own values may appear in its text: their words, and numbers and codes as a whole."""
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
    """The values of a column as they may appear in a text: only the year of a date, as rules find whole dates."""
    if values.dtype in (pl.Date, pl.Datetime):
        return values.dt.year().cast(pl.String)
    return values.cast(pl.String)
