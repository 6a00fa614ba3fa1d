"""Every row beside the record made from it: for the owner of the data only."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

from shoal.core.arrays import Codes
from shoal.core.cells import Cells
from shoal.core.hierarchy import MISSING
from shoal.core.release import Release
from shoal.core.table import QuasiColumn
from shoal.io.labels import distinct_labels
from shoal.report.published import shown

BEFORE, AFTER = "before:", "after:"
ROW, CLASS, SIZE = "row", "class", "size"
"""Additional columns: the number of the row, the number of its equivalence class, and the size of that class."""

SUPPRESSED = "(suppressed)"

TONES = 8
"""The number of colours for equivalence classes."""


def compared_rows(release: Release) -> pl.DataFrame:
    """Rows and their records in one table, the smallest classes first. Confidential. O(rows · columns).

    The columns of the original are named ``before:…``, those of the release ``after:…``, and are null if a row was
    suppressed. Identifiers are not included.
    """
    table = release.table
    record_of = np.full(table.n_rows, -1, np.int64)
    record_of[release.owners] = np.arange(release.n_records)
    class_of, sizes = _classes(release)
    columns: dict[str, pl.Series] = {ROW: pl.Series(np.arange(1, table.n_rows + 1))}
    columns |= {CLASS: class_of, SIZE: sizes}
    for column, codes, cells in zip(table.quasi, table.codes, release.cells, strict=True):
        known = [MISSING if leaf == column.domain.missing else text for leaf, text in enumerate(column.domain.texts)]
        columns[BEFORE + column.name] = pl.Series(known, dtype=pl.String).gather(pl.Series(codes.astype(np.int64)))
        columns[AFTER + column.name] = _after(column, cells, release.shapes, record_of)
    for values in table.passengers:
        texts = pl.Series([shown(value) for value in values], dtype=pl.String)
        columns[BEFORE + values.name] = texts
        columns[AFTER + values.name] = _passenger(release, values.name, texts, record_of)
    return pl.DataFrame(columns).sort(SIZE, CLASS, nulls_last=True, maintain_order=True)


def _classes(release: Release) -> tuple[pl.Series, pl.Series]:
    """The class of each row, numbered by size, smallest first, and its size; null if the row was suppressed."""
    groups, n_rows = release.classes, release.table.n_rows
    place = np.empty(len(groups), np.int64)
    place[np.argsort(groups.sizes, kind="stable")] = np.arange(1, len(groups) + 1)
    numbers, sizes = np.zeros(n_rows, np.int64), np.zeros(n_rows, np.int64)
    numbers[groups.members] = np.repeat(place, groups.sizes)
    sizes[groups.members] = np.repeat(groups.sizes, groups.sizes)
    return _or_null(numbers), _or_null(sizes)


def _or_null(numbers: Any) -> pl.Series:
    found = pl.Series(numbers)
    return found.set(found == 0, None)


def _after(column: QuasiColumn, cells: Cells, shapes: Codes, record_of: Any) -> pl.Series:
    if not shapes.size:
        return pl.Series([None] * record_of.size, dtype=pl.String)
    texts = pl.Series([shown(label) for label in distinct_labels(column, cells)], dtype=pl.String)
    ids = cells.ids[shapes][np.maximum(record_of, 0)].astype(np.int64)
    return texts.gather(pl.Series(ids)).set(pl.Series(record_of < 0), None)


def _passenger(release: Release, name: str, texts: pl.Series, record_of: Any) -> pl.Series:
    """Sensitive and other values are published unchanged; with buckets, a sensitive value is shown as its bucket."""
    gone = pl.Series(record_of < 0)
    sensitive = {column.name for column in release.table.sensitive}
    if release.buckets is None or name not in sensitive:
        return texts.set(gone, None)
    buckets = [f"bucket {number + 1}" for number in release.buckets[np.maximum(record_of, 0)].tolist()]
    return pl.Series(buckets, dtype=pl.String).set(gone, None)


def side(page: pl.DataFrame, which: str) -> list[dict[str, Any]]:
    """One side of some rows for a grid: cells, marks on changed ones, a colour for each class."""
    names = [name.removeprefix(BEFORE) for name in page.columns if name.startswith(BEFORE)]
    return [_line(row, names, which) for row in page.iter_rows(named=True)]


def _line(row: dict[str, Any], names: list[str], which: str) -> dict[str, Any]:
    gone = row[CLASS] is None
    own = [row[ROW]] if which == BEFORE else ["–" if gone else row[CLASS], "–" if gone else row[SIZE]]
    cells = [row[which + name] for name in names]
    marks = ["gone" if gone else "changed" if row[BEFORE + name] != row[AFTER + name] else "" for name in names]
    return {
        "cells": [*own, *(SUPPRESSED if cell is None else cell for cell in cells)],
        "marks": [""] * len(own) + marks,
        "tone": None if gone else row[CLASS] % TONES,
    }
