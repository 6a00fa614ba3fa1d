"""Values of an original that must not occur in a release, and a search for them in its printed cells."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from datetime import datetime
from pathlib import Path

import polars as pl

FORMS = ("%Y-%m-%d", "%d.%m.%Y", "%m/%d/%Y", "%d/%m/%Y", "%Y%m%d")
"""How a release might print a day."""

RAW = {
    "discharges.csv": ("latin-1", ";", 1),
    "claims.csv": ("utf-8", ",", 1),
    "visits.csv": ("utf-8", ",", 1),
    "survey.tsv": ("utf-8", "\t", 4),
}
"""Encoding, delimiter and rows down to the last header row of the files by hand."""

SECRETS: dict[str, dict[str, str]] = {
    "discharges.csv": {"Patient": "", "Name": "", "Geburtstag": "%d.%m.%Y", "Fall": "", "Bemerkung": ""},
    "claims.csv": {"ssn": "", "member": "", "birth_date": "%m/%d/%y", "phone": "", "drug_note": ""},
    "visits.csv": {"DOB": "%m/%d/%y"},
    "survey.tsv": {"id": ""},
    "stays.xlsx": {"id": "", "birth date": "%Y-%m-%d %H:%M:%S"},
}
"""Identifiers, birth dates, phone numbers and free text, by the last header row; how dates are written."""


def leaks(values: Iterable[str], release: pl.DataFrame) -> list[str]:
    """Which of these values are found in a cell, or in part of one, whatever their capitals.

    >>> leaks(["1942-02-16", "Ann", "P7"], pl.DataFrame({"born": ["{1942-02-16, 1962-04-30}"], "who": ["by ANN"]}))
    ['1942-02-16', 'Ann']
    """
    cells = "\n".join(str(cell) for column in release.iter_columns() for cell in column.unique()).casefold()
    return [value for value in dict.fromkeys(values) if value.strip() and value.strip().casefold() in cells]


def days(written: Iterable[str], form: str) -> Iterator[str]:
    """Dates as they are written, and as a release might print them; two-digit years lie in the past."""
    for text in written:
        yield text
        day = datetime.fromisoformat(text) if form == "iso with zone" else datetime.strptime(text, form)
        day = day if day.year < 2024 else day.replace(year=day.year - 100)
        yield from (day.strftime(form) for form in FORMS)


def secrets_by_hand(path: Path) -> dict[str, list[str]]:
    """The secret values of a file by hand, read without shoal."""
    rows = _sheet(path) if path.suffix == ".xlsx" else _rows(path)
    head, *rows = rows
    found = {}
    for name, form in SECRETS[path.name].items():
        values = [row[head.index(name)] for row in rows]
        found[name] = list(days(filter(str.strip, values), form)) if form else values
    return found


def _rows(path: Path) -> list[list[str]]:
    encoding, delimiter, n_head = RAW[path.name]
    with path.open(encoding=encoding, newline="") as file:
        return [row for row in csv.reader(file, delimiter=delimiter) if row][n_head - 1 :]


def _sheet(path: Path) -> list[list[str]]:
    import openpyxl

    sheet = openpyxl.load_workbook(path)["Data 2023"]
    return [[str(cell) for cell in row] for row in sheet.iter_rows(min_row=2, values_only=True)]
