"""Numeric codes for missing values, found because they are outliers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import polars as pl

from shoal.core.arrays import Flags, Floats, Offsets
from shoal.io.inspect import hints
from shoal.io.inspect.column_values import Advice, Sight

_BELOW = [-7.0, -8.0, -9.0, -77.0, -88.0, -99.0, -777.0, -888.0, -999.0, -9999.0, -99999.0]
_ABOVE = [9.0, 88.0, 97.0, 98.0, 99.0, 888.0, 998.0, 999.0, 8888.0, 9998.0, 9999.0]
_OFTEN = 3
_FAR = 1.5
_OLDEST = 97


def find(columns: Sequence[Sight]) -> Iterator[Advice]:
    """Find codes such as -9 among numbers that are otherwise not negative, and 99 or 999 far above all others.

    A code must be a number of that form, occur at least twice, and lie outside the other values: below zero, 1.5 times
    the next value or more, or, among ages, beyond any possible age.
    """
    for column in columns:
        codes = _codes(column)
        if codes:
            shown, verb = ", ".join(codes), "stands" if len(codes) == 1 else "stand"
            what = f"{column.name!r} holds {shown}, far from its other values, which probably {verb} for missing."
            yield Advice((column.name,), what, {"missing_codes": {column.name: codes}})


def _codes(column: Sight) -> list[str]:
    if column.kind != "numeric" or column.n_distinct < 3:
        return []
    numbers: Floats = column.numbers.fill_null(np.nan).to_numpy()
    counts: Offsets = column.counts.to_numpy().astype(np.int64)
    below: Flags = np.isin(numbers, _BELOW) & (counts >= 2)
    if below.any() and int((numbers < 0).sum()) == int(below.sum()):
        return _texts(column, below)
    above: Flags = np.isin(numbers, _ABOVE)
    if not above.any():
        return []
    return _texts(column, _far_above(numbers, counts, above, is_age=hints.has(hints.AGES, column.normal)))


def _texts(column: Sight, flags: Flags) -> list[str]:
    return sorted(column.texts.filter(pl.Series(flags)).to_list(), key=float)


def _far_above(numbers: Floats, counts: Offsets, is_code: Flags, *, is_age: bool) -> Flags:
    """Flag the highest values that are codes, from the top down, as long as each lies far above the rest."""
    rest = numbers[~is_code & ~np.isnan(numbers)]
    nothing: Flags = np.zeros(numbers.size, np.bool_)
    if rest.size < 2 or rest.max() >= numbers[is_code].max():
        return nothing
    top = float(rest.max())
    far: Flags = is_code & (numbers >= _FAR * top) & (numbers >= top + 2) & (counts >= 2)
    if far.any() and int(far.sum()) == int((is_code & (numbers > top)).sum()):
        return far
    usual = float(counts[~is_code & (numbers >= top - 5)].mean())
    heap: Flags = is_code & (numbers >= max(_OLDEST, top + 2)) & (counts >= _OFTEN * usual)
    return heap if is_age else nothing
