"""Decimal commas and thousands separators."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from shoal.io.inspect.column_values import Advice, Sight
from shoal.io.kinds import guess_kind
from shoal.io.written_values import read_numbers

WAYS: Sequence[Mapping[str, str]] = (
    {"decimal": ","},
    {"decimal": ",", "thousands": "."},
    {"decimal": ",", "thousands": " "},
    {"decimal": ",", "thousands": "'"},
    {"thousands": ","},
    {"thousands": " "},
    {"thousands": "'"},
)
"""Notations of numbers in texts other than 1234.5; the first that fits is used."""

_THREE = r"^[-+]?\d{1,3}[.,]\d{3}$"
_POINT = r"^[-+]?(?:\d{4,}\.\d+|\d+\.(?:\d{1,2}|\d{4,}))$"
"""A number whose point cannot be a thousands separator."""


def find(columns: Sequence[Sight]) -> Iterator[Advice]:
    """Find one notation of numbers for the whole table: the first that reads most of the columns that need one.

    ``1,234`` and ``1.234`` alone are ambiguous: other columns decide, including those in which a point can only be a
    decimal point; if none does, the user is asked.
    """
    by_name = {column.name: column for column in columns}
    needy = {name: ways for name, column in by_name.items() if (ways := _ways(column))}
    if not needy:
        return
    unsure = {name for name in needy if by_name[name].texts.str.contains(_THREE).all()}
    voters = [name for name in needy if name not in unsure] or list(needy)
    has_points = any(_has_decimal_points(column) for column in columns)
    if has_points and not set(needy) - unsure:
        needy = {name: [way for way in ways if "decimal" not in way] or ways for name, ways in needy.items()}
    way = max(WAYS, key=lambda one: (sum(one in needy[name] for name in voters), -WAYS.index(one)))
    if "decimal" in way and "thousands" not in way and any(_is_grouped(column) for column in columns):
        way = {"decimal": ",", "thousands": "."}
    read = [name for name, ways in needy.items() if way in ways or _is_numeric(by_name[name], way)]
    said = " and ".join(f"{mark!r} as {what} mark" for what, mark in way.items())
    question = ""
    if not set(needy) - unsure and not has_points:
        question = f"The comma in {', '.join(map(repr, read))} may be a decimal or a thousands mark: say decimal or "
        question += "thousands."
    yield Advice(tuple(read), f"{', '.join(map(repr, read))}: numbers are written with {said}.", dict(way), question)
    for name in needy:
        if name not in read:
            yield Advice(
                (name,),
                f"The numbers in {name!r} are written differently from those of the other columns.",
                question=f"Write the numbers of {name!r} in one way, or drop the column.",
            )


def _ways(column: Sight) -> list[Mapping[str, str]]:
    if not column.is_text or column.kind != "nominal" or not column.n_distinct:
        return []
    if not column.texts.str.contains(r"^[-+]?\d[\d.,'’ \u{a0}\u{202f}]*$").all():
        return []
    return [way for way in WAYS if _is_numeric(column, way)]


def _is_numeric(column: Sight, way: Mapping[str, str]) -> bool:
    return guess_kind(read_numbers(column.texts, way.get("decimal"), way.get("thousands"))) == "numeric"


def _has_decimal_points(column: Sight) -> bool:
    """Whether the column has numbers with a point that cannot group digits: 0.5, 1234.5678."""
    if column.dtype.is_float():
        return bool((column.numbers % 1 != 0).any())
    is_number = column.is_text and column.kind == "numeric"
    return is_number and bool(column.texts.str.contains(_POINT).any())


def _is_grouped(column: Sight) -> bool:
    """Whether some values have a point, and all of these have three digits after it: 1.234 beside decimal commas."""
    with_point = column.texts.filter(column.texts.str.contains(".", literal=True)) if column.is_text else column.texts
    is_number = column.is_text and column.kind == "numeric" and with_point.len() > 0
    return is_number and bool(with_point.str.contains(r"^[-+]?\d{1,3}(?:\.\d{3})+$").all())
