"""Masking references to people in one text, by rules and by words that the table itself provides."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

import polars as pl

from shoal.io.masking.rules import RULES

_TOKEN = re.compile(r"\[[A-Z-]+\]|\w+(?:['’/-]\w+)*|[^\W\d_]+")
_UNSEEN = dict.fromkeys(map(ord, "\u00ad\u200b\u200c\u200d\u2060\ufeff"))
"""Invisible characters, which would hide a name from every pattern."""

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_CODE = re.compile(r"[\w/-]*\d[\w/-]*")
LONGEST_NAME, MOST_WORDS, SHORTEST_NAME = 60, 6, 2
"""Maximum characters and words of an identifier that may be a name, and minimum letters of each word."""

_SHORTEST_OWN = 3


@dataclass(frozen=True, eq=False)
class Masker:
    """Replaces matches of rules, names from the table, and a row's own values by marks such as ``[NAME]``.

    ``names`` are words of the table's identifiers in lower case; they are masked wherever they begin with a capital. A
    row's own values are masked in any spelling. Anything that no rule matches stays: masking is no guarantee. O(text).
    """

    names: frozenset[str] = frozenset()
    counts: Counter[str] = field(default_factory=Counter)
    """How often each mark has been used so far."""

    def mask(self, text: str | None, own: Iterable[str | None] = ()) -> str | None:
        """Return the text with marks.

        >>> Masker().mask("Mrs Bell called on 3 March 2020: bell@example.org")
        'Mrs [NAME] called on [DATE]: [E-MAIL]'
        >>> Masker(frozenset({"bell"})).mask("Bell is 63, from York", ["63", "York"])
        '[NAME] is [VALUE], from [VALUE]'
        """
        if text is None:
            return None
        masked = unicodedata.normalize("NFC", text).translate(_UNSEEN)
        for rule in RULES:
            masked, n_found = rule.pattern.subn(rule.replacement, masked)
            self.counts[rule.mark] += n_found
        mine = _own_words(own)
        return _TOKEN.sub(lambda found: self._word(found[0], mine), masked)

    def _word(self, word: str, mine: frozenset[str]) -> str:
        """A word, or its mark if it is known; a compound word is known if one of its parts is."""
        if word.startswith("["):
            return word
        parts = {word, *re.split(r"['’/-]", word)}
        if any(part[:1].isupper() and part.casefold() in self.names for part in parts):
            return self._marked("NAME")
        if any(part.casefold() in mine for part in parts):
            return self._marked("VALUE")
        return word

    def _marked(self, mark: str) -> str:
        self.counts[mark] += 1
        return f"[{mark}]"


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


def _own_words(values: Iterable[str | None]) -> frozenset[str]:
    """How a row's own values may appear in its text: their words, and numbers and codes as a whole."""
    found: set[str] = set()
    for value in values:
        if value is None or len(value) > LONGEST_NAME:
            continue
        text = value.removesuffix(".0").casefold().strip()
        found.update(word for word in _WORD.findall(text) if len(word) >= _SHORTEST_OWN)
        if len(text) > 1 and _CODE.fullmatch(text):
            found.add(text)
    return frozenset(found)


def as_texts(values: pl.Series) -> pl.Series:
    """The values of a column as they may appear in a text: only the year of a date, as rules find whole dates."""
    if values.dtype in (pl.Date, pl.Datetime):
        return values.dt.year().cast(pl.String)
    return values.cast(pl.String)
