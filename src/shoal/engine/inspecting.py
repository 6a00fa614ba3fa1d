"""Inspects a table before anything is decided about it, and completes the settings of a run by what was found."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from shoal.core.schema import Schema
from shoal.engine.source import Loaded, load
from shoal.engine.suggested_job import job_text, suggested_words
from shoal.engine.vocabulary import AnonymizeWords, InspectWords, Reading
from shoal.errors import InputError
from shoal.io.atomic import write_private
from shoal.io.frames import declared_orders
from shoal.io.inspect.checks import written_values
from shoal.io.inspect.column_values import merged
from shoal.io.inspect.columns_without_role import unspoken
from shoal.io.inspect.findings import Inspection
from shoal.io.inspect.inspection import inspect_frame
from shoal.io.inspect.layout import find_layout
from shoal.io.place import place_at


def inspect(
    data: str | Path | Any,
    *,
    delimiter: str | None = None,
    encoding: str | None = None,
    quote: str | None = None,
    sheet: str | int | None = None,
    missing_values: Sequence[str] = (),
    query: str | None = None,
    skip_rows: int = 0,
    header_rows: int = 1,
    missing_codes: Mapping[str, Sequence[str]] | None = None,
    dates: Mapping[str, str] | None = None,
    decimal: str | None = None,
    thousands: str | None = None,
    units: Mapping[str, str] | None = None,
    spellings: Mapping[str, Mapping[str, str]] | None = None,
    fold: Sequence[str] = (),
    write_job: str | Path | None = None,
    **more: Any,
) -> Inspection:
    """Describe the columns of a table, find errors in it, suggest a role for each column, and count unique rows.

    Args:
        data: A path, the address of a database table, or a pandas, polars or pyarrow table.
        delimiter: The field separator; detected if not given.
        encoding: The text encoding, such as utf-8 or cp1252; detected if not given.
        quote: The quote character, empty for none; detected if not given.
        sheet: The sheet of a workbook, by name or number.
        missing_values: Texts that mean a missing value, in addition to the empty field.
        query: For a database: a query instead of a table.
        skip_rows: Number of rows above the header to skip, such as a title.
        header_rows: Number of header rows; their names are joined.
        missing_codes: Per column the values that mean missing, as in age=-9,99.
        dates: Per column how its dates are written: %d.%m.%Y, %m/%d/%y, iso (with time zones), excel (day numbers).
        decimal: The decimal mark of numbers, if not a point.
        thousands: The thousands separator of numbers.
        units: Per column the unit written with its numbers, to be removed; several spellings as in age=years|yrs.
        spellings: Replace one spelling of a value by another, as in 'sex:MALE=male'; may be repeated.
        fold: Columns whose values are merged if they differ only in blanks or in the coding of accents.
        write_job: Write the suggestions to a job file that can be run, with the reason for each line.
        more: Any other keyword is refused; the error suggests the one that was meant.

    Raises:
        InputError: the table cannot be read.

    Example:
        >>> import shoal
        >>> from shoal.io.example import people
        >>> found = shoal.inspect(people(200))
        >>> found.roles["identifiers"], found.roles["sensitive"]
        (['name', 'ssn', 'email'], ['diagnosis'])
    """
    return examined(data, InspectWords.called_with(locals())).found


@dataclass(frozen=True, eq=False)
class Examined:
    """The findings, and the table: as written, and after the corrections that the findings suggest."""

    found: Inspection
    source: Loaded
    frame: pl.DataFrame

    @property
    def words(self) -> dict[str, Any]:
        """The suggestions as settings of ``anonymize``."""
        return suggested_words(self.found, self.frame)

    @property
    def told(self) -> tuple[str, ...]:
        """What was found, for the notes of a run."""
        return tuple(one.what for one in self.found.advice)

    def others_to_say(self) -> list[str]:
        """The columns to publish unchanged that ``anonymize`` would refuse unless they are named."""
        quasi, sensitive = self.found.named("quasi-identifier"), self.found.named("sensitive")
        if not quasi:
            return []
        person = self.found.words.get("person")
        dropped = [name for name in self.found.named("identifier") if name != person]
        told = unspoken(self.frame, Schema(tuple(quasi), tuple(sensitive), tuple(dropped), person=person))
        return [name for name in told if name in self.found.named("other")]


def examined(data: Any, words: Reading) -> Examined:
    """Inspect a table, and write the job file if requested."""
    layout = find_layout(Path(data).expanduser(), words.reading) if _is_path(data) else ()
    source = load(data, **{**words.reading, **merged(one.words for one in layout)})
    orders = {} if _is_path(data) or source.place else declared_orders(data)
    found = inspect_frame(source.frame, orders, layout)
    seen = Examined(found, source, written_values(found.advice).read(source.frame))
    if isinstance(words, InspectWords) and words.write_job:
        _write_job(seen, words, Path(words.write_job).expanduser())
    return seen


def _is_path(data: Any) -> bool:
    return isinstance(data, str | Path) and place_at(data).path is not None


def _write_job(seen: Examined, words: InspectWords, target: Path) -> None:
    """Write the job file; it names the table relative to its own folder."""
    place = seen.source.place
    if place is None:
        raise InputError("A job file names its table; give a path or the address of a database, not a frame.")
    if target.exists():
        raise InputError(f"The file {str(target)!r} exists already; choose another name for the job file.")
    if not target.parent.is_dir():
        raise InputError(f"The folder {str(target.parent)!r} of the job file does not exist; make it first.")
    source, path = place_at(place).spelled, seen.source.path
    if path is not None:
        source = os.path.relpath(path.resolve(), target.resolve().parent)
    said = {word: value for word, value in words.plain().items() if word in Reading.model_fields}
    stem = "table" if path is None else path.stem
    write_private(job_text(seen.found, seen.frame, source, said, stem), target)


_ROLES = ("identifiers", "quasi_identifiers", "sensitive", "others")
_SAID = (*_ROLES, "masked")


def with_suggestions(words: AnonymizeWords, data: Any) -> tuple[AnonymizeWords, tuple[str, ...]]:
    """The settings completed by what an inspection suggests, and what was found, for the notes.

    Raises:
        InputError: a person has to decide something, or no column is a quasi-identifier.
    """
    seen = decided(data, words)
    return completed(words, seen.words), seen.told


def decided(data: Any, words: AnonymizeWords) -> Examined:
    """Inspect a table.

    Raises:
        InputError: a person has to decide something; dates, units and spellings answer, and columns that are dropped.
    """
    seen = examined(data, words)
    settled = {*words.dates, *words.units, *words.spellings, *words.identifiers}
    questions = [one.question for one in seen.found.advice if one.question and not settled.issuperset(one.columns)]
    if questions:
        raise InputError(
            f"You have to decide: {' '.join(questions)} Or let shoal inspect --write-job write a job file, and change "
            "it."
        )
    return seen


def completed(words: AnonymizeWords, suggested: dict[str, Any]) -> AnonymizeWords:
    """The settings completed by suggestions; those that were given stay: a role, a column's date format, a model.

    Raises:
        InputError: no column is a quasi-identifier.
    """
    said = {name: getattr(words, name) for name in words.model_fields_set}
    said = {name: value for name, value in said.items() if value != AnonymizeWords.model_fields[name].default}
    named = {name for role in _SAID for name in said.get(role, ())}
    named |= {said.get("person"), said.get("sample_weight")}
    for role in _ROLES:
        kept = [name for name in suggested.get(role, []) if name not in named]
        suggested[role] = (*said.get(role, ()), *kept)
    if suggested.get("person") in named:
        suggested.pop("person", None)
    together = {name: _joined(value, said.get(name)) for name, value in suggested.items()}
    asked = AnonymizeWords.said({**said, **together, "auto": False})
    if not asked.quasi_identifiers:
        raise InputError(
            "You have to decide: no column looks like a quasi-identifier; name those that others may know."
        )
    return asked


def _joined(suggested: Any, said: Any) -> Any:
    """Merge a suggestion with a given value, which wins; column by column if they are mappings."""
    if said is None or not said:
        return suggested
    if isinstance(said, Mapping) and isinstance(suggested, Mapping) and "k" not in suggested:
        return {**suggested, **said}
    return suggested if isinstance(suggested, tuple) else said
