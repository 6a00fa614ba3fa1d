"""What a check gets, a column by its distinct values, and what it returns: a problem, and the settings that fix it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl

from shoal.core.domain import Kind
from shoal.io.inspect import hints
from shoal.io.inspect.partition import NumberedColumn
from shoal.io.kinds import guess_kind
from shoal.io.written_values import WrittenValues

_N_SAMPLED = 400
MANY = 5_000
"""A column with more distinct values than this is too long a list for a person to check."""


@dataclass(frozen=True, eq=False)
class Sight:
    """The distinct non-missing values of a column, the most frequent first, and the number of rows that have each."""

    name: str
    dtype: pl.DataType
    values: pl.Series
    counts: pl.Series
    n_rows: int

    @classmethod
    def of(cls, values: pl.Series) -> Sight:
        """Summarize a column. O(rows)."""
        return cls.of_numbers(NumberedColumn.of(values))

    @classmethod
    def of_numbers(cls, column: NumberedColumn) -> Sight:
        """Summarize a numbered column; among equally frequent values the one that appears first comes first."""
        order = np.argsort(-column.sizes, kind="stable")
        counts = pl.Series("shoal's count", column.sizes[order])
        return cls(column.name, column.dtype, column.distinct[order], counts, column.n_rows)

    def read(self, written: WrittenValues) -> Sight:
        """The same column with its values read as ``written`` says. O(distinct values)."""
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
        """Number of distinct non-missing values."""
        return len(self.values)

    @cached_property
    def n_present(self) -> int:
        """Number of rows that have a value."""
        return int(self.counts.sum())

    @cached_property
    def kind(self) -> Kind:
        """The kind of the values."""
        return guess_kind(self.values) if self.n_distinct else "nominal"

    @cached_property
    def numbers(self) -> pl.Series:
        """The values as numbers; null if not a number."""
        return self.values.cast(pl.Float64, strict=False)

    @cached_property
    def sample(self) -> list[str]:
        """Some distinct values, spread evenly from the most frequent to the rarest."""
        return self.texts.gather_every(max(1, -(-self.n_distinct // _N_SAMPLED))).to_list()

    @cached_property
    def normal(self) -> str:
        """The normalized name."""
        return hints.normal(self.name)

    @cached_property
    def is_list(self) -> bool:
        """Whether a person could check the list of distinct values, and it is not nearly as long as the column."""
        return self.is_text and 1 < self.n_distinct <= MANY and self.n_distinct <= max(12, 0.5 * self.n_present)

    def share(self, flags: pl.Series) -> float:
        """The share of rows whose value is flagged."""
        total = float(np.dot(flags.fill_null(value=False).to_numpy(), self.counts.to_numpy()))
        return total / self.n_present if self.n_present else 0.0


@dataclass(frozen=True)
class Advice:
    """One finding: the problem in a sentence, and the settings of ``anonymize`` that fix it (``words``).

    Where only a person can decide, ``question`` says what; the settings are then the likelier answer, or empty.
    """

    columns: tuple[str, ...]
    what: str
    words: Mapping[str, Any] = field(default_factory=dict)
    question: str = ""


def merged(words: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Merge several sets of settings: mappings and lists are joined; of single values the first is kept.

    >>> merged([{"dates": {"a": "iso"}, "fold": ["x"]}, {"dates": {"b": "iso"}, "fold": ["x", "y"]}])
    {'dates': {'a': 'iso', 'b': 'iso'}, 'fold': ['x', 'y']}
    """
    found: dict[str, Any] = {}
    for one in words:
        for word, value in one.items():
            if isinstance(value, Mapping):
                found[word] = merged([found.get(word, {}), value])
            elif isinstance(value, list):
                found[word] = list(dict.fromkeys([*found.get(word, []), *value]))
            else:
                found.setdefault(word, value)
    return found
