"""Numbers that are not written plainly: with a unit, decimal commas or thousands separators."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from shoal.io.inspect.column_values import Advice, Sight
from shoal.io.kinds import guess_kind
from shoal.io.written_values import read_numbers

SAME = (
    "years|year|yrs|yr|y|yo|y/o|years old|jahre|jahr|j|ans|an|años|ano|año|anni|anno|jaar",
    "months|month|mo|monate|monat|mois|meses|mes|mesi|mese|maanden|maand",
    "weeks|week|wochen|woche|semaines|semaine|semanas|semana|weken",
    "days|day|d|tage|tag|jours|jour|días|dias|dia|giorni|giorno|dagen|dag",
    "hours|hour|h|hrs|stunden|std|heures|horas|ore", "minutes|minute|min|mins|minuten",
    "kg|kgs|kilo|kilos|kilogram|kilograms|kilogramm", "g|gram|grams|gramm", "lb|lbs|pounds|pound",
    "cm|centimeter|centimetre|zentimeter", "m|meter|metre|meters", "mm|millimeter", "in|inch|inches", "ft|feet|foot",
    "€|eur|euro|euros", "$|usd|dollar|dollars", "£|gbp|pounds sterling", "chf|fr|sfr", "%|percent|prozent",
    "mmhg", "mg/dl", "mmol/l", "g/l", "g/dl", "bpm|/min", "°c|c", "km",
)  # fmt: skip
"""Units and their spellings, in lower case."""

_CLASS = {spelling: number for number, row in enumerate(SAME) for spelling in row.split("|")}
_BEFORE = frozenset({"€", "eur", "euro", "$", "usd", "£", "gbp", "chf", "fr", "sfr"})
"""Units written before a number; other letters before a number make it a code."""

_NUMBER = r"[-+]?\d[\d.,'’\u00a0\u202f]*(?: \d{3})*(?:[.,]\d+)?"
_WITH_UNIT = re.compile(rf"\s*(?:([^\d\s.,+-][^\d]{{0,11}}?)\s*)?({_NUMBER})\s*([^\d\s.,+-][^\d]{{0,14}}?)?\.?\s*")
_MOSTLY = 0.95

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


def find_units(columns: Sequence[Sight]) -> Iterator[Advice]:
    """Find columns of numbers some of which have a unit; several units of different size raise a question."""
    for column in columns:
        if not column.is_text or column.kind != "nominal" or not column.n_distinct:
            continue
        parts = [_WITH_UNIT.fullmatch(text) for text in column.sample]
        units = dict.fromkeys(unit for part in parts if part for unit in (part[1], part[3]) if unit)
        if any(part and part[1] and part[1].casefold().strip() not in _BEFORE for part in parts):
            continue
        spellings = dict.fromkeys(unit.casefold().strip() for unit in units)
        if sum(part is not None for part in parts) < _MOSTLY * len(parts):
            continue
        if not units or not spellings.keys() <= _CLASS.keys():
            continue
        shown = ", ".join(map(repr, units))
        if len({_CLASS[spelling] for spelling in spellings}) > 1:
            what = f"{column.name!r} holds numbers with different units: {shown}."
            yield Advice((column.name,), what, question=f"Convert {column.name!r} to one unit, or drop the column.")
        else:
            what = f"{column.name!r} holds numbers with the unit {shown}."
            yield Advice((column.name,), what, {"units": {column.name: "|".join(spellings)}})


def find_notation(columns: Sequence[Sight]) -> Iterator[Advice]:
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
