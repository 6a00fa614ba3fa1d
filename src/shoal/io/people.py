"""The people behind rows: person keys as numbers, and how many people of the population a row represents."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from shoal.core.arrays import Codes, Floats, Offsets
from shoal.errors import InputError
from shoal.io.dictionaries import dictionary_of


@dataclass(frozen=True, eq=False)
class CodedPeople:
    """The person of each row, numbered in order of first appearance, and remarks."""

    codes: Codes
    notes: tuple[str, ...] = ()


def code_people(keys: pl.Series) -> CodedPeople:
    """Number people by their keys. O(rows).

    Equal keys are one person. A row without a key (missing, or NaN) counts as a person of its own. It might belong to
    somebody who has other rows, so such rows may inflate the number of people, which is why a remark reports them.
    """
    known, rows = known_keys(keys), np.arange(len(keys), dtype=np.int64)
    firsts = np.where(known.is_null().to_numpy(), rows, _first_rows(known, rows))
    is_first = firsts == rows
    numbers = np.cumsum(is_first, dtype=np.int64) - 1
    return CodedPeople(numbers[firsts].astype(np.int32), note_on_unnamed(keys.name, known.null_count(), len(keys)))


def _first_rows(known: pl.Series, rows: Offsets) -> Offsets:
    """For each row, the first row with the same key; texts use their dictionary."""
    if known.dtype != pl.String:
        return pl.DataFrame({"key": known, "row": rows}).select(pl.col("row").first().over("key"))["row"].to_numpy()
    ids, distinct = dictionary_of(known)
    firsts = np.empty(len(distinct) + 1, np.int64)
    firsts[ids[::-1]] = rows[::-1]
    return firsts[ids]


def note_on_unnamed(person: str, n_unnamed: int, n_rows: int) -> tuple[str, ...]:
    """The remark on rows without a key."""
    told = f"{n_unnamed:,} of {n_rows:,} rows have no value in {person!r}; each counts as a person of its own."
    return (told,) if n_unnamed else ()


def people_of_population(population: pl.DataFrame, person: str) -> Codes | None:
    """The people of a population that has the person column; None if it does not, so that each row is a person."""
    return code_people(population[person]).codes if person in population.columns else None


def known_keys(keys: pl.Series) -> pl.Series:
    """The keys, with NaN as missing."""
    return keys.fill_nan(None) if keys.dtype.is_float() else keys


def read_weights(column: pl.Series) -> Floats:
    """The sample weights as numbers. O(rows).

    Raises:
        InputError: a weight is missing, not a number, or not positive.
    """
    name = column.name
    if n_missing := known_keys(column).null_count():
        raise InputError(
            f"{n_missing:,} of {len(column):,} rows have no sample weight in {name!r}; fill them in, or leave them out."
        )
    numbers = column.cast(pl.Float64, strict=False) if column.dtype != pl.Boolean else pl.Series([None] * len(column))
    values = numbers.cast(pl.Float64).to_numpy() if not numbers.null_count() else np.array([np.nan])
    if not np.isfinite(values).all():
        raise InputError(f"The sample weights in {name!r} must be numbers; some are not.")
    if (values <= 0).any():
        raise InputError(f"The sample weights in {name!r} must be above 0, got {values.min():g}.")
    return np.asarray(values, np.float64)
