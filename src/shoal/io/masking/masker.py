"""Masking references to people in texts, by rules and by words that the table itself provides.

All rows of a table may be masked at once, or those of a file in batches.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import polars as pl

from shoal.core.schema import Schema
from shoal.errors import InputError
from shoal.io.column_rules import is_emptied
from shoal.io.masking.rules import RULES
from shoal.io.table_file import TableFile

_TOKEN = re.compile(r"\[[A-Z-]+\]|\w+(?:['’/-]\w+)*|[^\W\d_]+")
_UNSEEN = dict.fromkeys(map(ord, "\u00ad\u200b\u200c\u200d\u2060\ufeff"))
"""Invisible characters, which would hide a name from every pattern."""

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_CODE = re.compile(r"[\w/-]*\d[\w/-]*")
LONGEST_NAME, MOST_WORDS, SHORTEST_NAME = 60, 6, 2
"""Maximum characters and words of an identifier that may be a name, and minimum letters of each word."""

_SHORTEST_OWN = 3
_BATCH = 100_000

_CALLED = {
    "NAME": "names", "NUMBER": "numbers", "DATE": "dates", "PHONE": "phone numbers", "E-MAIL": "e-mail addresses",
    "WEB": "web addresses", "ADDRESS": "addresses", "AGE": "high ages", "VALUE": "values of the row itself",
}  # fmt: skip

MASKING = "Masking finds what its rules know and is no guarantee: read some of it before it goes out."
"""The warning shown wherever masked text is published."""


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


@dataclass(frozen=True, eq=False)
class Masked:
    """A table with masked free text, and how often each mark was used, by column."""

    frame: pl.DataFrame
    counts: Mapping[str, Counter[str]]

    @property
    def notes(self) -> tuple[str, ...]:
        """One sentence per column on what was masked."""
        return notes_on(self.counts)


def mask_frame(frame: pl.DataFrame, schema: Schema) -> Masked:
    """Mask the free text of a table by rules, by the names in its identifiers and by each row's own values.

    O(characters of the texts).
    """
    if not schema.masked:
        return Masked(frame, {})
    refuse_no_texts(frame, schema.masked)
    return mask_rows(frame, schema, names_of(frame.select(schema.identifiers)))


def mask_rows(frame: pl.DataFrame, schema: Schema, names: frozenset[str]) -> Masked:
    """The same for some of the rows, given the names of the whole table."""
    own = [as_texts(frame[name]) for name in telling(schema) if not is_emptied(frame[name])]
    counts: dict[str, Counter[str]] = {}
    columns = []
    for name in schema.masked:
        masker = Masker(names)
        rows: Iterable[Sequence[str | None]] = zip(*own, strict=True)
        texts = [masker.mask(text, mine) for text, mine in zip(frame[name], rows, strict=True)]
        columns.append(pl.Series(name, texts, pl.String))
        counts[name] = +masker.counts
    return Masked(frame.with_columns(columns), counts)


def telling(schema: Schema) -> list[str]:
    """The columns whose values must not appear in a text of the same row: identifiers, person, quasi-identifiers."""
    person = [] if schema.person is None else [schema.person]
    return list(dict.fromkeys((*schema.identifiers, *person, *schema.quasi_identifiers)))


def refuse_no_texts(frame: pl.DataFrame, columns: Sequence[str]) -> None:
    """Raise InputError if a column to mask does not hold text."""
    for name in columns:
        if frame.schema[name] != pl.String:
            raise InputError(
                f"The column {name!r} holds {frame.schema[name]} values, and only text can be masked; give it another "
                "role."
            )


def notes_on(counts: Mapping[str, Counter[str]]) -> tuple[str, ...]:
    """One sentence for each column in which something was masked."""
    shown = {name: [f"{n:,} {_CALLED[mark]}" for mark, n in found.most_common() if n] for name, found in counts.items()}
    return tuple(f"Masked in {name!r}: {', '.join(marks)}." for name, marks in shown.items() if marks)


def names_of(identifiers: pl.DataFrame) -> frozenset[str]:
    """The words in these columns that may be names. O(distinct values)."""
    texts = [column.unique().cast(pl.String) for column in identifiers.iter_columns() if not is_emptied(column)]
    return frozenset().union(*map(names_in, texts))


def masked_copy(rows: TableFile, schema: Schema, target: Path) -> TableFile:
    """Write the same rows to a Parquet file with their free text masked. Two passes over the rows.

    Memory: one batch, and the words of the identifiers.
    """
    schema.check_columns(rows.names)
    refuse_no_texts(next(iter(rows.batches(1, list(schema.masked)))), schema.masked)
    names: frozenset[str] = frozenset()
    if schema.identifiers:
        for batch in rows.batches(_BATCH, list(schema.identifiers)):
            names |= names_of(batch)
    counts: dict[str, Counter[str]] = {name: Counter() for name in schema.masked}

    def change(batch: pl.DataFrame) -> pl.DataFrame:
        masked = mask_rows(batch, schema, names)
        for name, found in masked.counts.items():
            counts[name] += found
        return masked.frame

    copy = rows.changed(target, change)
    return replace(copy, notes=(*rows.notes, *notes_on(counts)))
