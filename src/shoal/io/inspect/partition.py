"""The columns of a table as codes; its rows, split by one column after the other, to count the unique ones."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl

from shoal.core.arrays import Codes, Offsets
from shoal.core.schema import refuse_unknown
from shoal.errors import InputError
from shoal.io.column_rules import is_emptied
from shoal.io.dictionaries import dictionary_of
from shoal.io.written_values import WrittenValues
from shoal.kernels.distinct import number_rows


@dataclass(frozen=True, eq=False)
class NumberedColumn:
    """A column: a code per row, −1 where missing, and the distinct values in order of appearance.

    Each value is read once, however often its column is analyzed.
    """

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


@dataclass(frozen=True, eq=False)
class Numbered:
    """A column as integers below ``n_codes``; missing (null or NaN) is a value like any other."""

    codes: Codes
    n_codes: int


@dataclass(frozen=True, eq=False)
class RowPartition:
    """Rows in classes of equal values. Only rows that share their class are kept: ``rows`` and their class ``ids``.

    A unique row stays unique whatever columns follow, so splitting gets cheaper.
    """

    n_unique: int
    rows: Codes
    ids: Codes
    n_ids: int

    @property
    def n_classes(self) -> int:
        """Number of classes, those of one row included."""
        return self.n_unique + self.n_ids

    def split(self, column: Numbered) -> RowPartition:
        """Split the classes by one more column. O(rows that are not unique)."""
        keys, n_keys = _pair(self.ids, self.n_ids, column.codes[self.rows], column.n_codes)
        sizes = np.bincount(keys, minlength=n_keys)
        shared = sizes[keys] > 1
        ranks = (np.cumsum(sizes > 1) - 1).astype(np.int32)
        n_alone = shared.size - int(shared.sum())
        return RowPartition(self.n_unique + n_alone, self.rows[shared], ranks[keys[shared]], int((sizes > 1).sum()))


def whole(n_rows: int) -> RowPartition:
    """All rows in one class."""
    if n_rows < 2:
        return RowPartition(n_rows, np.empty(0, np.int32), np.empty(0, np.int32), 0)
    return RowPartition(0, np.arange(n_rows, dtype=np.int32), np.zeros(n_rows, np.int32), 1)


def split_by(n_rows: int, columns: Iterable[Numbered]) -> RowPartition:
    """Split all rows by all columns, stopping early once every row is unique."""
    partition = whole(n_rows)
    for column in columns:
        if partition.n_ids == 0:
            break
        partition = partition.split(column)
    return partition


def uniqueness(frame: pl.DataFrame, columns: Sequence[str]) -> int:
    """Count the rows that are unique on these columns. O(rows · columns).

    Missing is a value of its own: two rows that both lack a value agree on it.

    Raises:
        InputError: the frame has no column of that name.

    >>> uniqueness(pl.DataFrame({"a": [1, 1, 2], "b": [None, None, 3]}), ["a", "b"])
    1
    """
    refuse_unknown(columns, dict.fromkeys(frame.columns))
    return split_by(frame.height, (number(frame[name]) for name in columns)).n_unique


def number(values: pl.Series) -> Numbered:
    """Code the values of a column, the missing value last; small integers are their own codes."""
    if values.dtype == pl.Int32 and not values.null_count() and len(values):
        whole_numbers = values.to_numpy()
        low, high = int(whole_numbers.min()), int(whole_numbers.max())
        if high - low <= len(values):
            return Numbered(whole_numbers - np.int32(low), high - low + 1)
    codes, distinct = dictionary(values)
    return Numbered(np.where(codes < 0, len(distinct), codes).astype(np.int32), len(distinct) + 1)


def dictionary(values: pl.Series) -> tuple[Codes, pl.Series]:
    """Return a code per row, −1 where missing, and the distinct values in order of appearance.

    Raises:
        InputError: the cells hold lists or records.
    """
    if is_emptied(values):
        values = pl.Series(values.name, [None] * len(values), pl.String)
    if values.dtype.is_nested() or values.dtype in (pl.Object, pl.Binary):
        raise InputError(f"The column {values.name!r} holds {values.dtype} cells; give it one plain value per cell.")
    if values.dtype.is_float() and not _is_tidy(values):
        values = values.fill_nan(None)
        values = values.set((values == 0).fill_null(False), 0.0)  # −0 is 0; polars skips adding a zero
    if isinstance(values.dtype, pl.Categorical | pl.Enum | pl.Decimal | pl.Null):
        values = values.cast(pl.String)
    return dictionary_of(values)


def _is_tidy(values: pl.Series) -> bool:
    """Whether no number is NaN or −0, as in every table after ``settle``."""
    numbers = values.drop_nulls().to_numpy()
    return not bool((np.isnan(numbers) | ((numbers == 0) & np.signbit(numbers))).any())


def _pair(ids: Codes, n_ids: int, codes: Codes, n_codes: int) -> tuple[Codes, int]:
    """Code pairs: by position if few pairs are possible, otherwise by those that occur."""
    if n_ids * n_codes <= 4 * ids.size:
        return ids * np.int32(n_codes) + codes, n_ids * n_codes
    keys, firsts = number_rows(np.array([ids, codes], np.int32))
    return keys, firsts.size
