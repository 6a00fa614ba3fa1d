"""A column as the checks see it: its distinct values as texts, and how many rows have each."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import polars as pl

from shoal.core.domain import Kind
from shoal.io.inspect import hints
from shoal.io.inspect.numbered_columns import NumberedColumn
from shoal.io.kinds import guess_kind
from shoal.io.written_values import WrittenValues

_N_SAMPLED = 400
MANY = 5_000
"""A column with more different values than this has no list of values that anybody could go through."""


@dataclass(frozen=True, eq=False)
class Sight:
    """The distinct present values of a column, the most frequent first, and their numbers of rows."""

    name: str
    dtype: pl.DataType
    values: pl.Series
    counts: pl.Series
    n_rows: int
    said: frozenset[str] = field(default_factory=frozenset)
    """The words that were said about the column, or found before."""

    @classmethod
    def of(cls, values: pl.Series) -> Sight:
        """Look at a column. O(rows)."""
        return cls.of_numbers(NumberedColumn.of(values))

    @classmethod
    def of_numbers(cls, column: NumberedColumn) -> Sight:
        """Look at a column that is numbered; of values in as many rows the one that comes first is first."""
        order = np.argsort(-column.sizes, kind="stable")
        counts = pl.Series("shoal's count", column.sizes[order])
        return cls(column.name, column.dtype, column.distinct[order], counts, column.n_rows)

    def read(self, written: WrittenValues) -> Sight:
        """The same column with values as they are meant. O(distinct values)."""
        frame = written.read(self.values.to_frame())
        counted = frame.with_columns(self.counts.alias("shoal's count")).drop_nulls(self.name)
        summed = counted.group_by(self.name, maintain_order=True).agg(pl.col("shoal's count").sum())
        summed = summed.sort("shoal's count", descending=True, maintain_order=True)
        return Sight(self.name, summed[self.name].dtype, summed[self.name], summed["shoal's count"], self.n_rows)

    @property
    def is_text(self) -> bool:
        """Whether the values are texts."""
        return self.dtype == pl.String

    @cached_property
    def texts(self) -> pl.Series:
        """The distinct values as texts."""
        return self.values.cast(pl.String)

    @property
    def n_distinct(self) -> int:
        """Number of distinct present values."""
        return len(self.values)

    @cached_property
    def n_present(self) -> int:
        """Number of rows that have a value."""
        return int(self.counts.sum())

    @cached_property
    def kind(self) -> Kind:
        """What kind of values these are."""
        return guess_kind(self.values) if self.n_distinct else "nominal"

    @cached_property
    def numbers(self) -> pl.Series:
        """The values as numbers; null where one is none."""
        return self.values.cast(pl.Float64, strict=False)

    @cached_property
    def sample(self) -> list[str]:
        """Some distinct values, evenly from the most frequent to the rarest."""
        return self.texts.gather_every(max(1, -(-self.n_distinct // _N_SAMPLED))).to_list()

    @cached_property
    def normal(self) -> str:
        """The name, made comparable."""
        return hints.normal(self.name)

    @cached_property
    def is_list(self) -> bool:
        """Whether the values are a list that somebody could go through, and not nearly one for each row."""
        return self.is_text and 1 < self.n_distinct <= MANY and self.n_distinct <= max(12, 0.5 * self.n_present)

    def share(self, flags: pl.Series) -> float:
        """The share of rows whose value is flagged."""
        total = float(np.dot(flags.fill_null(value=False).to_numpy(), self.counts.to_numpy()))
        return total / self.n_present if self.n_present else 0.0
