"""Mask the free text of a table whose rows are read a batch at a time."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import polars as pl

from shoal.core.schema import Schema
from shoal.io.masking.frame import mask_rows, names_of, notes_on, refuse_no_texts
from shoal.io.table_file import TableFile

_BATCH = 100_000


def masked_copy(rows: TableFile, schema: Schema, target: Path) -> TableFile:
    """The same rows in a Parquet file with their free text masked. Two passes over them.

    Memory: a batch, and the words of the identifiers.
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
