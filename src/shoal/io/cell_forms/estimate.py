"""The distribution of a column's values, estimated from its cells alone, and values drawn inside cells from it.

The estimate is the one for grouped and interval-censored data: start with a uniform distribution, share each record's
weight among the values inside its cell in proportion to their probability, sum, and repeat (the self-consistent
estimate of Turnbull 1976, The empirical distribution function with arbitrarily grouped, censored and truncated data).
We stop after a few rounds, because the limit would concentrate all weight in a few places. A set such as {Ely, Truro}
says more than that each of its records has one of these values: it names Ely because some record has it. So each value
that a set names gets one record, and only the others are shared.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import cached_property
from math import floor, log10
from sys import float_info
from typing import Any

import numpy as np
import polars as pl

from shoal.core.arrays import Codes, Floats, Offsets
from shoal.core.randomness import Randomness
from shoal.io.cell_forms.taken_apart import Cell, CodedLabels, ColumnCells, known_values

_ROUNDS = 20
_MOST_DECIMALS = 6
_LARGEST = 2.0**52
_TABLE, _NEXT = 1 << 16, 3
"""Number of entries of the lookup table in ``_places``, and how many places after the looked-up one are tried."""
_EPOCH = datetime(1970, 1, 1)
_UNITS = (86_400_000_000, 3_600_000_000, 60_000_000, 1_000_000, 1_000, 1)
"""A day, an hour, a minute, a second and so on, in microseconds: date-times are counted in the longest that fits."""


@dataclass(frozen=True, eq=False)
class Drawn:
    """A value for each record; ``coded`` holds the same values as distinct values and codes, where available."""

    values: pl.Series
    coded: CodedLabels | None = None


class Estimate(ABC):
    """The distribution of a column's values, and draws from the part of it that lies inside each record's cell."""

    column: ColumnCells

    @property
    @abstractmethod
    def dtype(self) -> pl.DataType:
        """The type of the drawn values."""

    @abstractmethod
    def draw(self, ids: Codes, randomness: Randomness) -> Drawn:
        """Draw one value for each record from inside the cell with the record's number."""

    @abstractmethod
    def centers(self) -> list[Any]:
        """For each distinct cell, return its middle, or its likeliest value where a middle does not exist."""


def estimate(column: ColumnCells) -> Estimate:
    """Estimate the distribution: on a line for ranges of numbers or dates, otherwise over listed values."""
    on_line = column.has_line and all(cell.what != "set" for cell in column.cells)
    points = [end for cell in column.cells for end in (cell.low, cell.high) if end is not None]
    if on_line and points:
        return OnLine.of(column, points)
    column = column.listed()
    return Listed(column, known_values(column))


@dataclass(frozen=True, eq=False)
class OnLine(Estimate):
    """Values on a line, counted in steps: atom ``a`` holds the steps from ``edges[a]`` up to ``edges[a + 1]``.

    The last atom is the missing value. Cell c consists of the atoms from ``first[c]`` up to ``last[c]``; a star
    consists of all atoms. ``steps`` converts between steps and values.
    """

    column: ColumnCells
    steps: _Steps
    edges: Offsets
    first: Codes
    last: Codes

    @classmethod
    def of(cls, column: ColumnCells, points: Sequence[Any]) -> OnLine:
        """Build the atoms from the end points of all cells."""
        steps = _Steps.of(column, points)
        least, most = steps.number(min(points)), steps.number(max(points))
        numbers = {point: steps.number(point) for point in {*points}}
        lows = np.array([numbers.get(cell.low, least) for cell in column.cells], np.int64)
        ends = np.array([numbers.get(cell.high, most) + 1 for cell in column.cells], np.int64)
        edges = np.unique([lows, ends])
        is_missing = np.array([cell.what == "missing" for cell in column.cells])
        is_any = np.array([cell.what == "any" for cell in column.cells])
        n = edges.size - 1
        first = np.where(is_missing, n, np.searchsorted(edges, lows)).astype(np.int32)
        may_miss = is_missing | (is_any & is_missing.any())
        last = np.where(may_miss, n + 1, np.searchsorted(edges, ends)).astype(np.int32)
        return cls(column, steps, edges, first, last)

    @cached_property
    def sums(self) -> Floats:
        """The cumulative probability before each atom. O(rounds · (atoms + cells))."""
        weights = np.append(
            np.diff(self.edges).astype(np.float64), 1.0 if (self.first == self.edges.size - 1).any() else 0.0
        )
        weights /= weights.sum()
        for _ in range(_ROUNDS):
            sums = np.concatenate([[0.0], np.cumsum(weights)])
            inside = sums[self.last] - sums[self.first]
            share = np.divide(self.column.counts, inside, out=np.zeros(inside.size), where=inside > 0)
            change = np.zeros(weights.size + 1)
            np.add.at(change, self.first, share)
            np.add.at(change, self.last, -share)
            weights = weights * np.maximum(np.cumsum(change)[:-1], 0.0)
            weights /= weights.sum()
        return np.concatenate([[0.0], np.cumsum(weights)])

    @property
    def dtype(self) -> pl.DataType:
        """The column's type."""
        return self.steps.dtype

    def draw(self, ids: Codes, randomness: Randomness) -> Drawn:
        """Draw by inverting the cumulative distribution within each record's cell."""
        low, high = self.first[ids], self.last[ids]
        at = self.sums[low] + _shares(randomness, ids.size) * (self.sums[high] - self.sums[low])
        atoms = np.clip(_places(self.sums, at), low, high - 1)
        is_missing = atoms == self.edges.size - 1
        atoms = np.where(is_missing, 0, atoms)
        start, width = self.edges[atoms], np.diff(self.edges)[atoms]
        mass = np.maximum(np.diff(self.sums), np.finfo(np.float64).tiny)[atoms]
        inside = np.clip((at - self.sums[atoms]) / mass, 0.0, 1.0) * width  # the remainder is uniform
        numbers = start + np.minimum(inside.astype(np.int64), width - 1)
        return Drawn(self._clipped(self.steps.values(numbers, is_missing), ids))

    def _clipped(self, values: pl.Series, ids: Codes) -> pl.Series:
        """Clip values to the ends of their cells, which rounded steps may exceed."""
        if not self.steps.dtype.is_float():
            return values
        records = self.column.at(ids)
        low, high = (records.spread([getattr(cell, end) for cell in records.cells]) for end in ("low", "high"))
        frame = pl.DataFrame({"value": values, "low": low, "high": high})
        return frame.select(pl.col("value").clip("low", "high").alias(values.name)).to_series()

    def centers(self) -> list[Any]:
        """The middle of each range; the median of the estimate for a star."""
        least, most = int(self.edges[0]), int(self.edges[-1]) - 1
        middle = int(
            np.searchsorted(self.sums[: self.edges.size], self.sums[self.edges.size - 1] / 2, side="right") - 1
        )
        median = int(self.edges[middle] + self.edges[middle + 1] - 1) // 2
        return [self._center(cell, least, most, median) for cell in self.column.cells]

    def _center(self, cell: Cell, least: int, most: int, median: int) -> Any:
        if cell.what == "missing":
            return None
        if cell.what == "any":
            return self.steps.value(median)
        if cell.what == "value":
            return cell.low
        return self.steps.between(
            self.steps.value(least) if cell.low is None else cell.low,
            self.steps.value(most) if cell.high is None else cell.high,
        )


@dataclass(frozen=True)
class _Steps:
    """Conversion between a column's values and integer steps."""

    dtype: pl.DataType
    name: str
    unit: float

    @classmethod
    def of(cls, column: ColumnCells, points: Sequence[Any]) -> _Steps:
        """Count integers and days by ones, date-times by the longest unit that fits, other numbers by decimals."""
        if isinstance(points[0], datetime):
            numbers = [_microseconds(point) for point in points]
            unit = next(unit for unit in _UNITS if all(number % unit == 0 for number in numbers))
            return cls(column.dtype, column.name, unit)
        if isinstance(points[0], float):
            return cls(column.dtype, column.name, 10.0 ** -_decimals(points))
        return cls(column.dtype, column.name, 1)

    def number(self, value: Any) -> int:
        """The step of a value, or the nearest one."""
        if isinstance(value, datetime):
            return _microseconds(value) // int(self.unit)
        if isinstance(value, date):
            return value.toordinal()
        return round(value / self.unit) if isinstance(value, float) else int(value)

    def value(self, number: int) -> Any:
        """The value at a step."""
        return self.values(np.array([number], np.int64), np.zeros(1, bool))[0]

    def values(self, numbers: Offsets, is_missing: Any) -> pl.Series:
        """The values at these steps, with the column's type."""
        made: pl.Series
        if self.dtype == pl.Date:
            made = pl.Series(numbers - date(1970, 1, 1).toordinal()).cast(pl.Int32).cast(pl.Date)
        elif isinstance(self.dtype, pl.Datetime):
            made = pl.Series(numbers * int(self.unit)).cast(pl.Datetime("us", self.dtype.time_zone)).cast(self.dtype)
        elif self.dtype.is_float():
            scale = round(1 / self.unit)
            made = pl.Series(numbers / scale if scale > 1 else numbers * self.unit).cast(self.dtype)
        else:
            made = pl.Series(numbers).cast(self.dtype)
        return made.alias(self.name).set(pl.Series(is_missing), None)

    def between(self, low: Any, high: Any) -> Any:
        """The midpoint, of the same type; half a step is rounded to an even one."""
        if isinstance(low, float):
            return low + (high - low) / 2 if high - low <= float_info.max else low / 2 + high / 2
        if isinstance(low, datetime):
            return low + (high - low) / 2
        number = round((self.number(low) + self.number(high)) / 2)
        return date.fromordinal(number) if isinstance(low, date) else number


def _microseconds(moment: datetime) -> int:
    plain = moment.astimezone(UTC).replace(tzinfo=None) if moment.tzinfo is not None else moment
    return (plain - _EPOCH) // timedelta(microseconds=1)


def _decimals(points: Sequence[float]) -> int:
    """The number of decimals of these numbers; where there are too many, as many as give about a million steps."""
    span, largest = max(points) - min(points), max(map(abs, points))
    few = next((d for d in range(_MOST_DECIMALS + 1) if all(round(point, d) == point for point in points)), None)
    wanted = few if few is not None else _MOST_DECIMALS - floor(log10(min(span, float_info.max))) if span > 0 else 0
    wanted = min(wanted, float_info.max_10_exp)
    return min(wanted, floor(log10(_LARGEST) - log10(largest))) if largest > 0 else wanted


@dataclass(frozen=True, eq=False)
class Listed(Estimate):
    """Values without a line between them: each cell lists its possible values, which may include missing."""

    column: ColumnCells
    values: list[Any]

    @cached_property
    def lists(self) -> tuple[Offsets, Codes]:
        """For each distinct cell the positions of its values, concatenated; missing has the last position."""
        places: dict[Any, int] = {value: place for place, value in enumerate(self.values)}
        found = [self._members(cell, places) for cell in self.column.cells]
        offsets = np.concatenate([[0], np.cumsum([len(each) for each in found])]).astype(np.int64)
        return offsets, np.array([place for each in found for place in each], np.int32)

    def _members(self, cell: Cell, places: dict[Any, int]) -> list[int]:
        missing = len(self.values)
        if cell.what == "missing":
            return [missing]
        if cell.what == "any":
            can_miss = any(other.what == "missing" or None in (other.values or ()) for other in self.column.cells)
            return [*range(missing), *([missing] if can_miss or not self.values else [])]
        if cell.what == "range":
            first = 0 if cell.low is None else places[cell.low]
            return [*range(first, missing if cell.high is None else places[cell.high] + 1)]
        return [missing if value is None else places[value] for value in cell.values or ()]

    @cached_property
    def _named(self) -> Floats:
        """How many records of each distinct cell certainly have each of its values: one where the label lists them.

        A set names a value because one of its records has it. A group of a hierarchy names all values it could contain.
        """
        is_set = np.array([cell.what == "set" for cell in self.column.cells]) & (self.column.meaning.tree is None)
        return np.where(is_set & (self.column.counts >= np.diff(self.lists[0])), 1.0, 0.0)

    def _records(self, weights: Floats) -> Floats:
        """The expected number of records per distinct cell and value of it, given the weights. O(members)."""
        (offsets, members), named = self.lists, self._named
        owners = np.repeat(np.arange(named.size), np.diff(offsets))
        inside = np.bincount(owners, weights[members], minlength=named.size)
        others = self.column.counts - named * np.diff(offsets)
        share = np.divide(others, inside, out=np.zeros(inside.size), where=inside > 0)
        records: Floats = named[owners] + weights[members] * share[owners]
        return records

    @cached_property
    def weights(self) -> Floats:
        """The probability of each value, missing last. O(rounds · members)."""
        weights = np.full(len(self.values) + 1, 1 / (len(self.values) + 1))
        for _ in range(_ROUNDS):
            records = np.bincount(self.lists[1], self._records(weights), minlength=weights.size)
            weights = records / records.sum()
        return weights

    @cached_property
    def _typed(self) -> pl.Series:
        """The values with the column's original type, missing last."""
        return self.column.retyped(self.column.distinct([*self.values, None]))

    @property
    def dtype(self) -> pl.DataType:
        """The column's original type, if all its values fit it."""
        return self._typed.dtype

    @cached_property
    def _sums(self) -> Floats:
        """Cumulative expected number of records before each entry of ``lists``."""
        return np.concatenate([[0.0], np.cumsum(self._records(self.weights))])

    def draw(self, ids: Codes, randomness: Randomness) -> Drawn:
        """Draw one of each cell's values in proportion to its expected number of records."""
        (offsets, members), sums = self.lists, self._sums
        low, high = offsets[ids], offsets[ids + 1]
        at = sums[low] + _shares(randomness, ids.size) * (sums[high] - sums[low])
        drawn = members[np.clip(_places(sums, at), low, high - 1)]
        coded = CodedLabels(self._typed, drawn)
        return Drawn(coded.labels, coded)

    def centers(self) -> list[Any]:
        """The likeliest value; for a range of ordered values the middle, for a star over ordered values the median."""
        offsets, members = self.lists
        named: list[Any] = [*self.values, None]
        found = []
        for c, cell in enumerate(self.column.cells):
            own = np.sort(members[offsets[c] : offsets[c + 1]])
            if cell.what == "range" or (self.column.has_line and cell.what == "set"):
                place = own[(own.size - 1) // 2]
            elif cell.what == "any" and self.column.kind != "nominal" and self.values:
                place = self._median
            else:
                place = own[np.argmax(self.weights[own])]
            found.append(named[int(place)])
        return found

    @property
    def _median(self) -> int:
        """The position of the median value, ignoring missing values."""
        sums = np.cumsum(self.weights[:-1])
        return int(np.searchsorted(sums, sums[-1] / 2))


def _places(sums: Floats, at: Floats) -> Offsets:
    """``searchsorted(sums, at, side="right") − 1`` for many values, up to rounding: a lookup table finds most."""
    scale = _TABLE / max(float(sums[-1]), np.finfo(np.float64).tiny)
    table = np.searchsorted(sums, np.arange(_TABLE + 1) / scale, side="right") - 1
    last = sums.size - 2
    places = np.clip(table[np.minimum((at * scale).astype(np.int64), _TABLE)], 0, last)
    rest = np.flatnonzero((sums[places + 1] <= at) & (places < last))
    for _ in range(_NEXT):
        places[rest] += 1
        rest = rest[(sums[places[rest] + 1] <= at[rest]) & (places[rest] < last)]
    places[rest] = np.searchsorted(sums, at[rest], side="right") - 1
    return np.clip(places, 0, last)


def _shares(randomness: Randomness, n: int) -> Floats:
    """Draw ``n`` independent numbers from [0, 1)."""
    return (randomness.words(n) >> np.uint64(11)).astype(np.float64) / 2.0**53
