"""Rows of a long table for a grid: sorted, filtered, a page at a time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import polars as pl

from shoal.core.schema import refuse_unknown

MOST = 500
"""The most rows sent at once."""


@dataclass(frozen=True)
class RowOrder:
    """The requested rows of a table and their order.

    Args:
        sort: the column to sort by; the table's own order without one.
        descending: whether the largest come first.
        filters: for some columns a text that their values must contain, ignoring case.
    """

    sort: str | None = None
    descending: bool = False
    filters: Mapping[str, str] = field(default_factory=dict)

    def of(self, frame: pl.DataFrame) -> pl.DataFrame:
        """The requested rows, in order. O(rows log rows)."""
        refuse_unknown([*([self.sort] if self.sort else []), *self.filters], frame.columns)
        if self.filters:
            frame = frame.filter(*(_contains(name, text) for name, text in self.filters.items()))
        if not self.sort:
            return frame
        return frame.sort(_sortable(frame[self.sort]), descending=self.descending, nulls_last=True)


def _sortable(values: pl.Series) -> pl.Series:
    """Convert texts that are all numbers to numbers, so that 9 comes before 10."""
    if values.dtype != pl.String:
        return values
    numbers = values.str.strip_chars().cast(pl.Float64, strict=False)
    return numbers if numbers.null_count() == values.null_count() else values


def _contains(name: str, text: str) -> pl.Expr:
    texts = pl.col(name).cast(pl.String, strict=False).str.to_lowercase()
    return texts.str.contains(text.lower(), literal=True).fill_null(False)


class TablePages:
    """One table, a page at a time. The last order is cached, because the next page is likely to follow."""

    def __init__(self, frame: pl.DataFrame) -> None:
        self.frame = frame
        self._known: tuple[RowOrder, pl.DataFrame] = (RowOrder(), frame)

    def page(self, start: int, n: int, order: RowOrder) -> tuple[pl.DataFrame, int]:
        """Some rows, and the total number of rows."""
        if self._known[0] != order:
            self._known = order, order.of(self.frame)
        found = self._known[1]
        return found.slice(start, min(n, MOST)), found.height
