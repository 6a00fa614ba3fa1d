"""Suggesting hierarchies by what columns hold; the first kind of content that fits is used."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

from shoal.io.inspect import hints
from shoal.io.inspect.column_values import Sight
from shoal.io.inspect.regions import REGIONS

_AGES = "age, ages, alter, edad, eta, leeftijd"
_OLDEST, _TOP = 130, 90
_CUTS = "/".join(str(age) for age in range(0, _TOP + 5, 5))

_BIRTHS = "*birth*, dob, geburt*, geb, *naiss*, *nacimiento*, nascita, *nascita, geboorte*, geboren"

_ATC = r"^[ABCDGHJLMNPRSV]\d{2}[A-Z]{2}\d{2}$"
_ICD = r"^[A-TV-Z]\d[0-9AB](?:\.?[0-9A-Z]{1,4})?[!*+]?$"
_FEWEST_CODES = 3

_POSTCODES = "zip*, post code*, postal*, plz, postleitzahl*, code postal, codigo postal, cap, cp, postcode*"
_WHY_POSTCODES = "postcodes digit by digit: the first ones stand for larger areas"

_FEWEST_COUNTRIES, _MOSTLY = 4, 0.9
_ELSEWHERE = "elsewhere"


@dataclass(frozen=True)
class Fit:
    """The hierarchy as in a job file, and the reason; ``is_code`` if it also suits sensitive columns."""

    spec: Any
    why: str
    is_code: bool = False


def best_fit(column: Sight) -> Fit | None:
    """Return the hierarchy that suits a column, if one is known."""
    fits = (fit(column) for fit in ALL.values()) if column.n_distinct > 1 else iter(())
    return next((found for found in fits if found is not None), None)


def _ages(column: Sight) -> Fit | None:
    """Match integers in the range of ages, if the column is named like an age: bands, with the oldest in one group."""
    if column.kind != "numeric" or not hints.has(_AGES, column.normal):
        return None
    are_ages = column.numbers.is_between(0, _OLDEST).all() and (column.numbers == column.numbers.round()).all()
    if not are_ages or float(column.numbers.max()) < 15:  # type: ignore[arg-type]
        return None
    why = f"ages in bands of 5, 10 and 20 years; everybody from {_TOP} on is one group, since the oldest are few"
    return Fit(f"intervals:cuts={_CUTS},factors=2/2", why)


def _dates(column: Sight) -> Fit | None:
    """Match dates: dates of birth by year, since a day alone singles people out; other dates also by month."""
    if column.kind != "date":
        return None
    if hints.has(_BIRTHS, column.normal):
        return Fit("dates:levels=year/decade", "dates of birth by years, since the day singles people out")
    has_time = column.texts.str.len_chars().max() != 10
    levels = "day/month/year/decade" if has_time else "month/year/decade"
    return Fit(f"dates:levels={levels}", "dates by months, years and decades")


def _medical_codes(column: Sight) -> Fit | None:
    """Match columns whose codes all have the format of ATC (medicines) or of ICD-10 (diagnoses)."""
    if not column.is_text or column.n_distinct < _FEWEST_CODES:
        return None
    if column.texts.str.contains(_ATC).all():
        return Fit("prefixes:lengths=5/4/3/1", "ATC codes by subgroup, group and organ system", is_code=True)
    if column.texts.str.contains(_ICD).all():
        return Fit("icd10", "ICD-10 codes by category and chapter", is_code=True)
    return None


def _postcodes(column: Sight) -> Fit | None:
    """Match codes of digits, or of digits and letters, if the column is named like a postcode."""
    if not hints.has(_POSTCODES, column.normal):
        return None
    if column.texts.str.contains(r"^\d{3,10}$").all():
        return Fit("mask", _WHY_POSTCODES)
    if column.texts.str.contains(r"^[A-Za-z0-9][A-Za-z0-9 -]{2,9}$").all():
        return Fit("prefixes:lengths=4/3/2/1", _WHY_POSTCODES)
    return None


def _countries(column: Sight) -> Fit | None:
    """Match names or codes of countries, nearly all of them known; the others form a group of their own."""
    if not column.is_text or not _FEWEST_COUNTRIES <= column.n_distinct <= len(_known_countries()):
        return None
    regions = {text: _region(text) for text in column.texts}
    n_known = sum(region is not None for region in regions.values())
    if n_known < max(_FEWEST_COUNTRIES, _MOSTLY * len(regions)):
        return None
    groups: dict[str, list[str]] = defaultdict(list)
    for text, region in sorted(regions.items()):
        groups[region or _ELSEWHERE].append(text)
    return Fit(dict(groups), "countries by region of the world")


def _region(text: str) -> str | None:
    return _known_countries().get(text.casefold().strip().replace("-", " ").replace("_", " "))


@cache
def _known_countries() -> dict[str, str]:
    return {
        name.casefold().replace("-", " "): region
        for region, rows in REGIONS.items()
        for row in rows.split(";")
        for name in row.strip().split("|")
    }


ALL: dict[str, Callable[[Sight], Fit | None]] = {
    "ages": _ages,
    "dates": _dates,
    "medical codes": _medical_codes,
    "postcodes": _postcodes,
    "countries": _countries,
}
"""The kinds of content with a known hierarchy."""
