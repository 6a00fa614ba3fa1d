"""Columns without information: constant columns, and copies of others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import polars as pl

from shoal.io.inspect.column_values import Advice, Sight

_FEWEST_TEXTS, _FEWEST_NUMBERS, _FEWEST_ROWS, _FEWEST_OF_TWO = 3, 12, 10, 10
"""With fewer values or rows, columns may agree by chance, in particular codes of few categories."""


def find(columns: Sequence[Sight]) -> Iterator[Advice]:
    """Find columns with one value in all rows."""
    for column in columns:
        if column.n_distinct == 1 and column.n_present == column.n_rows and column.n_rows > 1:
            yield Advice((column.name,), f"{column.name!r} has the same value in every row.")


def copies(frame: pl.DataFrame, columns: Sequence[Sight]) -> Iterator[Advice]:
    """Find columns that equal an earlier column in every row; they are dropped. O(rows · columns alike)."""
    seen: dict[tuple[object, ...], list[str]] = {}
    for column in columns:
        enough = _FEWEST_TEXTS if column.is_text and column.kind == "nominal" else _FEWEST_NUMBERS
        if (column.n_distinct < enough and not _are_two(column)) or column.n_rows < _FEWEST_ROWS:
            continue
        look = (column.n_distinct, column.n_present, *column.counts.head(5))
        for earlier in seen.setdefault(look, []):
            if frame[earlier].cast(pl.String).equals(frame[column.name].cast(pl.String)):
                what = f"{column.name!r} is a copy of {earlier!r}, and is best dropped."
                yield Advice((column.name,), what, {"identifiers": [column.name]})
                break
        else:
            seen[look].append(column.name)


def _are_two(column: Sight) -> bool:
    """Whether the values are two frequent texts, such as female and male, unlikely to agree in all rows by chance."""
    is_text = column.is_text and column.kind == "nominal"
    return is_text and column.n_distinct == 2 and bool((column.counts >= _FEWEST_OF_TWO).all())
