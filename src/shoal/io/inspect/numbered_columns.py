"""The columns of a table as codes: each value is read once, however often its column is analyzed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl

from shoal.core.arrays import Codes, Offsets
from shoal.io.inspect.partition import dictionary
from shoal.io.written_values import WrittenValues


@dataclass(frozen=True, eq=False)
class NumberedColumn:
    """A column: a code per row, −1 where missing, and the distinct values in order of appearance."""

    name: str
    dtype: pl.DataType
    codes: Codes
    distinct: pl.Series

    @classmethod
    def of(cls, values: pl.Series) -> NumberedColumn:
        """Code a column. O(rows)."""
        codes, distinct = dictionary(values)
        return cls(values.name, values.dtype, codes, distinct)

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return self.codes.size

    @cached_property
    def sizes(self) -> Offsets:
        """How many rows have each distinct value."""
        return np.bincount(self.codes + 1, minlength=len(self.distinct) + 1)[1:].astype(np.int64)

    @cached_property
    def n_missing(self) -> int:
        """Number of rows without a value."""
        return self.n_rows - int(self.sizes.sum())

    def read(self, written: WrittenValues) -> NumberedColumn:
        """The same column with values read as ``written`` says. O(distinct values), O(rows) if something changes."""
        meant = written.read(self.distinct.to_frame()).to_series()
        if meant.dtype == self.distinct.dtype and meant.equals(self.distinct):
            return self
        codes, distinct = dictionary(meant)
        renumbered = np.append(codes, np.int32(-1))[self.codes]
        return NumberedColumn(self.name, meant.dtype, renumbered, distinct)


def as_frame(columns: Sequence[NumberedColumn]) -> pl.DataFrame:
    """A frame of codes instead of values, with the same equalities between rows."""
    return pl.DataFrame([pl.Series(column.name, column.codes) for column in columns])
