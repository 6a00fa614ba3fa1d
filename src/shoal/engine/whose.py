"""Whose record each record is, for whoever judges a release: by the column that was named, or one that repeats."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl

from shoal.audit.repeated_people import RepeatedPeople
from shoal.audit.whose import Whose
from shoal.core.arrays import Codes
from shoal.core.table import SensitiveColumn
from shoal.engine.verified_release import VerifiedRelease
from shoal.io.inspect.person_keys import person_keys
from shoal.io.people import code_people


def whose_records(result: VerifiedRelease, shapes: Codes, sensitive: tuple[SensitiveColumn, ...]) -> Whose | None:
    """Whose the printed records are; None where nothing tells. ``shapes`` numbers them, ``sensitive`` has their values.

    Where no column was named, an identifier that repeats and whose rows agree tells.
    """
    if result.keys is not None:
        held = {column.name: column.held for column in result.release.table.sensitive}
        values = {column.name: replace(column, held=held[column.name]) for column in sensitive}
        return _whose(str(result.schema.person), code_people(result.keys).codes, shapes, values, is_counted=True)
    guessed = _guessed_keys(result)
    if guessed is None:
        return None
    people = code_people(guessed).codes[result.release.owners]
    classes = result.release.classes.ids(result.release.table.n_rows)[result.release.owners]
    return _whose(guessed.name, people, classes, {}, is_counted=False)


def _whose(column: str, people: Codes, shapes: Codes, values: dict[str, SensitiveColumn], *, is_counted: bool) -> Whose:
    return Whose(column, people, shapes, int(shapes.max(initial=-1)) + 1, values, is_counted)


def _guessed_keys(result: VerifiedRelease) -> pl.Series | None:
    """The identifier or pseudonym most like a person's key, row for row; None where rows were dropped on the way."""
    frame = result.source.frame
    if frame.height != result.release.table.n_rows:
        return None
    named = (*result.schema.identifiers, *result.preparation.secrets)
    found = person_keys(frame, [name for name in named if name in frame.columns])
    return frame[found[0].name] if found else None


def note_on_repeated(result: VerifiedRelease, k: int | None) -> tuple[str, ...]:
    """What to say where nobody said whose rows are whose, and classes hold fewer people than rows were promised."""
    whose = None if result.keys is not None else whose_records(result, np.empty(0, np.int32), ())
    if whose is None:
        return ()
    least = max(2, k or 2)
    n_few = int(((whose.people_by_shape < least) & (whose.records_by_shape > 0)).sum())
    if not n_few:
        return ()
    return (
        f"Rows were counted, not people: by {whose.column!r}, which repeats, {n_few:,} of {whose.n_shapes:,} classes "
        f"hold fewer than {least} people. {RepeatedPeople.remedy}",
    )
