"""Masking the free text of a table: all rows at once, or a file in batches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import polars as pl

from shoal.core.schema import Schema
from shoal.errors import InputError
from shoal.io.column_rules import is_emptied
from shoal.io.masking.masker import Masker, as_texts, names_in
from shoal.io.table_file import TableFile

_BATCH = 100_000

_CALLED = {
    "NAME": "names", "NUMBER": "numbers", "DATE": "dates", "PHONE": "phone numbers", "E-MAIL": "e-mail addresses",
    "WEB": "web addresses", "ADDRESS": "addresses", "AGE": "high ages", "VALUE": "values of the row itself",
}  # fmt: skip


MASKING = "Masking finds what its rules know and is no guarantee: read some of it before it goes out."
"""The warning shown wherever masked text is published."""


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
