"""Top and bottom coding: values beyond a limit become the limit."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

import polars as pl

from shoal.errors import InputError
from shoal.io.preparation.contract import Step, is_about_dates, moment_said, moments, number_said, numbers


@dataclass(frozen=True)
class _Limit(Step):
    limit: str

    def __post_init__(self) -> None:
        if moment_said(self, self.limit) is None:
            number_said(self, self.limit)

    def changed(self, frame: pl.DataFrame) -> pl.Series:
        """Replace values beyond the limit; all others stay as written. O(rows)."""
        values = frame[self.column]
        moment = moment_said(self, self.limit)
        if moment is not None:
            read = moments(self, values)
            limit = pl.Series([moment]).cast(read.dtype)[0]
            return self._limited(read, read, limit, limit)
        if is_about_dates(values):
            raise InputError(
                f"{self.word}: {self.column!r} holds dates, so its limit must be a date such as 2024-03-31, "
                f"got {self.limit!r}."
            )
        read, limit = numbers(self, values), number_said(self, self.limit)
        if values.dtype == pl.String:
            return self._limited(values, read, limit, self.limit.strip())
        is_whole = read.dtype.is_integer() and limit.is_integer()
        kind = values.dtype if is_whole or values.dtype.is_float() else pl.Float64
        return self._limited(values.cast(kind), read, limit, int(limit) if is_whole else limit)

    def _limited(self, values: pl.Series, read: pl.Series, limit: Any, printed: Any) -> pl.Series:
        """The values, with ``printed`` instead of those that, as ``read``, are beyond the limit."""
        table = pl.DataFrame({"value": values, "read": read})
        is_beyond = self._is_beyond(pl.col("read"), limit)
        return table.select(pl.when(is_beyond).then(pl.lit(printed, dtype=values.dtype)).otherwise("value")).to_series()

    @abstractmethod
    def _is_beyond(self, values: pl.Expr, limit: Any) -> pl.Expr: ...


@dataclass(frozen=True)
class TopCoding(_Limit):
    """Values above the limit become the limit."""

    word: ClassVar[str] = "top"
    sentence: ClassVar[str] = "Values above {limit} are published as {limit} (top coding)."

    def _is_beyond(self, values: pl.Expr, limit: Any) -> pl.Expr:
        return values.gt(limit)


@dataclass(frozen=True)
class BottomCoding(_Limit):
    """Values below the limit become the limit."""

    word: ClassVar[str] = "bottom"
    sentence: ClassVar[str] = "Values below {limit} are published as {limit} (bottom coding)."

    def _is_beyond(self, values: pl.Expr, limit: Any) -> pl.Expr:
        return values.lt(limit)
