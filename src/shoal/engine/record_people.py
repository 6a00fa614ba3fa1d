"""The person behind each record, for judging a release: by the named column, or one that repeats."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from shoal.audit.repeated_people import RepeatedPeople
from shoal.audit.same_person import Whose
from shoal.core.arrays import Codes
from shoal.core.table import SensitiveColumn
from shoal.engine.verified_release import VerifiedRelease
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
