"""Rounding: numbers to the nearest multiple of a step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import polars as pl

from shoal.io.preparation.contract import Step, decimals, number_said, numbers


@dataclass(frozen=True)
class Rounding(Step):
    """Round to the nearest multiple of ``step``; ties go to the even one, so that sums are not biased."""

    step: str

    word: ClassVar[str] = "rounding"
    sentence: ClassVar[str] = "Values are rounded to the nearest multiple of {step}."

    def __post_init__(self) -> None:
        number_said(self, self.step, positive=True)

    def changed(self, frame: pl.DataFrame) -> pl.Series:
        """Round the values; integers stay integers if the step is one. O(rows)."""
        values, step = frame[self.column], float(self.step)
        read = numbers(self, values)
        if read.dtype.is_integer() and step.is_integer():
            rounded = _whole(read, int(step))
            return rounded.cast(values.dtype if values.dtype == pl.String else pl.Int64)
        digits = decimals(self.step)
        scaled = np.round(read.cast(pl.Float64).to_numpy() * 10.0**digits, 6)  # 0.15 is halfway between tenths
        whole = round(step * 10**digits)
        near = pl.Series(np.round(scaled / whole) * whole / 10.0**digits + 0.0).fill_nan(None)
        if values.dtype != pl.String:
            return near
        return _written(near, digits) if digits else near.cast(pl.Int64).cast(pl.String)


def _whole(values: pl.Series, step: int) -> pl.Series:
    below = values // step
    twice = (values - below * step) * 2
    up = (twice > step) | ((twice == step) & (below % 2 == 1))
    return (below + up.cast(pl.Int64)) * step


def _written(values: pl.Series, digits: int) -> pl.Series:
    """The values as texts with this many digits after the point."""
    texts = [None if value is None else f"{value:.{digits}f}" for value in values.to_list()]
    return pl.Series(values.name, texts, pl.String)
