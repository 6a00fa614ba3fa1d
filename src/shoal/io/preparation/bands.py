"""Banding: replacing numbers and dates by the band they lie in."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
import polars as pl

from shoal.errors import InputError
from shoal.io.preparation.contract import Step, decimals, each_distinct, is_about_dates, moments, number_said, numbers

PERIODS = ("month", "quarter", "year", "decade")
"""The calendar periods that dates can be generalized to."""


@dataclass(frozen=True)
class Banding(Step):
    """Bands of a fixed width that begin at its multiples, bands between edges, or calendar periods.

    ``spec`` is a width (``10``), edges (``0,18,65``), or month, quarter, year or decade. Bands are texts:
    ``20 to under 30``, and ``2024-Q1`` for dates.
    """

    spec: str

    word: ClassVar[str] = "bands"

    def __post_init__(self) -> None:
        if self.spec in PERIODS:
            return
        edges = [number_said(self, part.strip(), positive="," not in self.spec) for part in self.spec.split(",")]
        if len(edges) > 1 and edges != sorted(set(edges)):
            raise InputError(f"{self.word}: the edges of {self.column!r} must increase, got {self.spec!r}.")

    @property
    def says(self) -> str:
        """A description of the step that reveals no values."""
        if self.spec in PERIODS:
            return f"Dates are published as their {self.spec}."
        return f"Values are published as bands ({'edges' if ',' in self.spec else 'width'} {self.spec})."

    @cached_property
    def _edges(self) -> list[str]:
        return [part.strip() for part in self.spec.split(",")]

    def changed(self, frame: pl.DataFrame) -> pl.Series:
        """Replace each value by its band. O(rows)."""
        values = frame[self.column]
        if self.spec in PERIODS:
            return _periods(moments(self, values), self.spec)
        if is_about_dates(values):
            raise InputError(f"{self.word}: {self.column!r} holds dates; use one of {', '.join(PERIODS)}.")
        read = numbers(self, values)
        return self._between(read) if len(self._edges) > 1 else self._of_width(read)

    def _of_width(self, values: pl.Series) -> pl.Series:
        width, digits = float(self.spec), decimals(self.spec)
        scaled = np.round(values.cast(pl.Float64).to_numpy() * 10.0**digits, 6)  # 0.3 is a multiple of 0.1
        places = pl.Series(np.floor_divide(scaled, round(width * 10**digits))).fill_nan(None)

        def label(place: float) -> str:
            return f"{place * width + 0.0:.{digits}f} to under {(place + 1) * width + 0.0:.{digits}f}"

        return each_distinct(places, label, pl.String)

    def _between(self, values: pl.Series) -> pl.Series:
        edges = [float(edge) for edge in self._edges]
        places = pl.Series(edges).search_sorted(values.cast(pl.Float64), side="right").set(values.is_null(), None)
        middle = [f"{low} to under {high}" for low, high in zip(self._edges, self._edges[1:], strict=False)]
        labels = [f"under {self._edges[0]}", *middle, f"{self._edges[-1]} and over"]
        return pl.Series(labels).gather(places)


def band_order(labels: Iterable[str]) -> tuple[str, ...]:
    """Sort the bands of one column from the lowest to the highest.

    >>> band_order(["20 to under 100", "under -5", "100 and over", "-5 to under 20"])
    ('under -5', '-5 to under 20', '20 to under 100', '100 and over')
    """
    return tuple(sorted(labels, key=_key))


def _key(label: str) -> tuple[float, bool, str]:
    first = re.search(r"-?\d+(?:\.\d+)?", label)
    return float(first[0]) if first else 0.0, not label.startswith("under"), label


def _periods(values: pl.Series, period: str) -> pl.Series:
    year = values.dt.year().cast(pl.String)
    if period == "quarter":
        return year + "-Q" + values.dt.quarter().cast(pl.String)
    if period == "decade":
        return ((values.dt.year() // 10) * 10).cast(pl.String) + "s"
    return year if period == "year" else values.dt.strftime("%Y-%m")
