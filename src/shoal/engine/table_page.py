"""Some rows of a long table, as a grid asks for them: sorted, filtered, a piece at a time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import reduce
from operator import and_

import polars as pl

from shoal.errors import InputError, did_you_mean

MOST = 500
"""Rows that are sent at once."""


@dataclass(frozen=True)
class RowOrder:
    """Which rows of a table are wanted, and in which order.

    Args:
        sort: the column to sort by; the table's own order without one.
        descending: the largest first.
        filters: for some columns a text that their values must contain, whatever its case.
    """

    sort: str | None = None
    descending: bool = False
    filters: Mapping[str, str] = field(default_factory=dict)

    def of(self, frame: pl.DataFrame) -> pl.DataFrame:
        """The rows that are wanted, in order. O(rows log rows).

        Raises:
            InputError: the table has no such column.
        """
        for name in [*([self.sort] if self.sort else []), *self.filters]:
            if name not in frame.columns:
                raise InputError(f"The table has no column {name!r}.{did_you_mean(name, frame.columns)}")
        if self.filters:
            frame = frame.filter(reduce(and_, (_contains(name, text) for name, text in self.filters.items())))
        if not self.sort:
            return frame
        return frame.sort(_sortable(frame[self.sort]), descending=self.descending, nulls_last=True)


def _sortable(values: pl.Series) -> pl.Series:
    """Texts that are all numbers as numbers, so that 9 comes before 10."""
    if values.dtype != pl.String:
        return values
    numbers = values.str.strip_chars().cast(pl.Float64, strict=False)
    return numbers if numbers.null_count() == values.null_count() else values


def _contains(name: str, text: str) -> pl.Expr:
    return (
        pl.col(name)
        .cast(pl.String, strict=False)
        .str.to_lowercase()
        .str.contains(text.lower(), literal=True)
        .fill_null(False)
    )


class TablePages:
    """One table, a piece at a time. The order that was asked for last is kept, since its next piece is likely next."""

    def __init__(self, frame: pl.DataFrame) -> None:
        self.frame = frame
        self._known: tuple[RowOrder, pl.DataFrame] = (RowOrder(), frame)

    def page(self, start: int, n: int, order: RowOrder) -> tuple[pl.DataFrame, int]:
        """Some rows, and how many there are in all."""
        if self._known[0] != order:
            self._known = order, order.of(self.frame)
        found = self._known[1]
        return found.slice(start, min(n, MOST)), found.height
