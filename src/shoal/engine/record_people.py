"""The person behind each record: by the named column, by one that repeats, or from labels and the original alone."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from shoal.audit.knowledge import Knowledge
from shoal.audit.links import Links
from shoal.audit.repeated_people import RepeatedPeople
from shoal.audit.same_person import Whose
from shoal.core.arrays import Codes
from shoal.core.release import Publication
from shoal.core.schema import column_hint
from shoal.core.table import SensitiveColumn
from shoal.engine.verified_release import VerifiedRelease
from shoal.errors import InputError
from shoal.io.people import code_people


def whose_records(result: VerifiedRelease, shapes: Codes, sensitive: tuple[SensitiveColumn, ...]) -> Whose | None:
    """The people behind the printed records; None if unknown. ``shapes`` numbers them, ``sensitive`` has their values.

    If no column was named, an identifier is used that repeats and whose rows agree.
    """
    if result.beside.people is not None:
        held = {column.name: column.held for column in result.release.table.sensitive}
        values = {column.name: replace(column, held=held[column.name]) for column in sensitive}
        return _whose(str(result.schema.person), result.beside.people, shapes, values, is_counted=True)
    guessed = result.likely_keys
    if guessed is None:
        return None
    people = code_people(guessed).codes[result.release.owners]
    classes = result.release.classes.ids(result.release.table.n_rows)[result.release.owners]
    return _whose(guessed.name, people, classes, {}, is_counted=False)


def _whose(column: str, people: Codes, shapes: Codes, values: dict[str, SensitiveColumn], *, is_counted: bool) -> Whose:
    return Whose(column, people, shapes, int(shapes.max(initial=-1)) + 1, values, is_counted)


def note_on_repeated(result: VerifiedRelease, k: int | None) -> tuple[str, ...]:
    """A note if no person column was named, and classes have fewer people than the requested number of rows."""
    whose = None if result.beside.people is not None else whose_records(result, np.empty(0, np.int32), ())
    if whose is None:
        return ()
    least = least_people(k)
    n_few = int(((whose.people_by_shape < least) & (whose.records_by_shape > 0)).sum())
    return note_on_few(whose.column, n_few, whose.n_shapes, least)


def least_people(k: int | None) -> int:
    """The number of people that every class should have, from the requested k of rows."""
    return max(2, k or 2)


def note_on_few(column: str, n_few: int, n_classes: int, least: int) -> tuple[str, ...]:
    """The note on classes with fewer people, by a column that repeats; empty if there are none."""
    told = (
        f"Rows were counted, not people: by {column!r}, which repeats, {n_few:,} of {n_classes:,} classes hold fewer "
        f"than {least} people. {RepeatedPeople.remedy}"
    )
    return (told,) if n_few else ()


def people_named(person: str, original: pl.DataFrame) -> pl.Series:
    """The column with the person of each row; raises InputError if the original lacks it."""
    if person not in original.columns:
        raise InputError(f"The original has no column {person!r}.{column_hint(person, original.columns)}")
    return original[person]


@dataclass(frozen=True, eq=False)
class Traced:
    """The key of each published record's person; or ``why_not``, if the tables do not determine it."""

    keys: pl.Series | None = None
    why_not: str = ""


def trace(seen: Publication, known: Knowledge, frame: pl.DataFrame, original: pl.DataFrame, person: str) -> Traced:
    """Find the rows from which the records of each class were made. O(cost of joining people and records).

    They are determined if every row of the original fits the records of one class only, and each class has as many
    records as rows that fit. Within a class, records and rows with equal sensitive values belong together; models about
    classes do not depend on which of them is whose. ``seen`` is the release as read from its labels, ``frame`` as
    printed.
    """
    people_named(person, original)
    if frame.height != original.height:
        left_out = original.height - frame.height
        return Traced(why_not=f"{left_out:,} rows of the original were left out, and no table says which")
    links = Links.of(seen, known)
    if int(links.people_fitting.sum()) != original.height:
        return Traced(why_not="rows of the original fit records of several classes, and no table says which is theirs")
    starts, found = links.shapes_of(np.arange(links.n_types, dtype=np.int32))
    if (np.diff(starts) != 1).any() or (links.people_fitting != links.records).any():
        return Traced(why_not="the records of some classes are not those of the rows that fit them")
    shared = [name for name in seen.sensitive if name in original.columns]
    told = [pl.col(name).cast(pl.String) for name in shared]
    whose = original.select(pl.Series("class", found[links.types]), *told, pl.col(person).alias("whose"))
    records = frame.select(pl.Series("class", links.shapes), *told, pl.int_range(pl.len()).alias("record"))
    whose, records = (table.sort("class", *shared) for table in (whose, records))
    if not records.select(shared).equals(whose.select(shared)):
        return Traced(why_not="the sensitive values of some classes are not those of the rows that fit them")
    return Traced(records.with_columns(whose["whose"]).sort("record")["whose"].alias(person))
