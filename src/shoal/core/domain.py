"""The domain of a column: its possible values, numbered."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Literal

import numpy as np
import polars as pl

from shoal.core.arrays import Flags, Floats, Offsets
from shoal.core.number_texts import exact

Kind = Literal["numeric", "ordinal", "nominal", "date"]
"""Numeric and date values have distances, ordinal ones only an order, nominal ones neither."""

_WHOLE = 2**53
"""All integers below are floats."""

_VISIBLE = 1e-12
"""Positions that are rounded by more than this share of the range are computed exactly."""


@dataclass(frozen=True, eq=False)
class Domain:
    """The leaves of a column, ``0 … n − 1``: depth-first along its hierarchy, else in value order.

    ``texts`` are the values as printed; ``values`` are the same with their own type; ``points`` their
    positions on a line (numbers, days, else ranks); ``counts`` is the number of rows with each value (a hierarchy may
    contain values that no row has). The missing value, if any, is the last leaf, ``missing``.
    """

    name: str
    kind: Kind
    texts: tuple[str, ...]
    values: pl.Series
    points: Floats
    counts: Offsets
    missing: int | None = None

    @property
    def n_leaves(self) -> int:
        """Number of leaves, the missing value included."""
        return len(self.texts)

    @property
    def is_ordered(self) -> bool:
        """Whether ranges of values are meaningful."""
        return self.kind != "nominal"

    @cached_property
    def places(self) -> Floats:
        """Positions of the values for comparing order and distances: ``points``, if these are exact enough.

        Different numbers may share a float or be moved by rounding (beyond 2^53, or after 15 digits). If so, this is
        each number's distance from the least, divided by that of the greatest, computed exactly and rounded once.
        """
        known = np.flatnonzero(np.isfinite(self.points))
        if self.kind != "numeric" or self._are_apart(self.points[known]):
            return self.points
        numbers = [exact(self.texts[code]) for code in known.tolist()]
        least, width = min(numbers), max(numbers) - min(numbers)
        places = self.points.copy()
        places[known] = [float(Fraction(number - least) / width) if width else 0.0 for number in numbers]
        return places

    def _are_apart(self, points: Floats) -> bool:
        """Whether no two numbers share a float, and rounding moves none by a visible share of the range."""
        if np.unique(points).size < points.size:
            return False
        if points.size < 2 or self.values.dtype.is_float():
            return True
        largest = float(np.abs(points).max())
        if self.values.dtype.is_integer() and largest < _WHOLE:
            return True
        return bool(np.spacing(largest) <= _VISIBLE * (points.max() - points.min()))

    @cached_property
    def occurs(self) -> Flags:
        """Which leaves occur in at least one row."""
        return self.counts > 0

    @cached_property
    def n_occurring_before(self) -> Offsets:
        """Prefix sums: the number of occurring leaves below each code, and the total at the end."""
        return np.concatenate([[0], np.cumsum(self.occurs)]).astype(np.int64)
