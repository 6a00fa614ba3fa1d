"""Numbers with a unit."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from shoal.io.inspect.column_values import Advice, Sight

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


def find(columns: Sequence[Sight]) -> Iterator[Advice]:
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
