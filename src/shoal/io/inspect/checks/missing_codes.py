"""Numbers that stand for a missing value, by how they stand out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import polars as pl

from shoal.io.inspect import hints
from shoal.io.inspect.advice import Advice
from shoal.io.inspect.sight import Sight

_BELOW = [-7.0, -8.0, -9.0, -77.0, -88.0, -99.0, -777.0, -888.0, -999.0, -9999.0, -99999.0]
_ABOVE = [9.0, 88.0, 97.0, 98.0, 99.0, 888.0, 998.0, 999.0, 8888.0, 9998.0, 9999.0]
_OFTEN = 3
_FAR = 1.5
_AGES = "age, ages, alter, edad, eta, leeftijd"
_OLDEST = 97


def find(columns: Sequence[Sight]) -> Iterator[Advice]:
    """Codes such as -9 below numbers of which none is negative, and 99 or 999 far above all others.

    A code must be a number of that look, occur at least twice, and lie outside of everything else: below zero, half
    as high again as the next value, or among ages a heap beyond all ages.
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
    found = pl.DataFrame({"text": column.texts, "number": column.numbers, "count": column.counts}).drop_nulls()
    rare = found["count"] >= 2
    below = found.filter(rare & found["number"].is_in(_BELOW))
    if below.height and found.filter(found["number"] < 0).height == below.height:
        return sorted(below["text"].to_list(), key=float)
    return _above(found, is_age=hints.has(_AGES, column.normal))


def _above(found: pl.DataFrame, *, is_age: bool) -> list[str]:
    """The highest values that are codes, from the top down, as long as each lies far above what is left."""
    is_code = found["number"].is_in(_ABOVE)
    rest, codes = found.filter(~is_code)["number"], found.filter(is_code).sort("number")
    if rest.len() < 2 or not codes.height or (rest.max() or 0) >= codes["number"][-1]:
        return []
    top = float(rest.max())  # type: ignore[arg-type]
    far = codes.filter((codes["number"] >= _FAR * top) & (codes["number"] >= top + 2) & (codes["count"] >= 2))
    if far.height and far.height == codes.filter(codes["number"] > top).height:
        return far["text"].to_list()
    usual = found.filter(~is_code & (found["number"] >= top - 5))["count"].mean()
    heap = codes.filter((codes["number"] >= max(_OLDEST, top + 2)) & (codes["count"] >= _OFTEN * (usual or 0)))  # type: ignore[operator]
    return heap["text"].to_list() if is_age else []
