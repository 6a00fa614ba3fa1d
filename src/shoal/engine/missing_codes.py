"""The codes of missing values from SPSS, Stata or SAS files, record by record, for columns published unchanged."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

import polars as pl

from shoal.core.contracts import Goal
from shoal.core.schema import Schema
from shoal.errors import BrokenPromise
from shoal.io.stats_read import CodeMeaning


def judged_columns(schema: Schema, goal: Goal) -> tuple[str, ...]:
    """The columns that models judge: quasi-identifiers, and sensitive ones unless all models are about sizes."""
    are_about_sizes = goal.is_about_size and len(goal.group_models) == len(goal.promises)
    return (*schema.quasi_identifiers, *(() if are_about_sizes else schema.sensitive))


def codes_of_records(
    meanings: Mapping[str, CodeMeaning], judged: Collection[str], frame: pl.DataFrame, rows: pl.Series
) -> dict[str, pl.Series]:
    """The codes of the records' missing values, for columns published unchanged that no model judges.

    ``meanings`` has the codes in the order of the file, and ``rows`` the row of the file behind each record.

    Raises:
        BrokenPromise: a record has both a value and a code, which is our bug.
    """
    found = {
        name: meaning.codes.gather(rows)
        for name, meaning in meanings.items()
        if meaning.codes is not None and name in frame.columns and name not in judged
    }
    for name, codes in found.items():
        if (codes.is_not_null() & frame[name].is_not_null()).any():
            raise BrokenPromise(
                f"A value of {name!r} got the code of a missing value of another record; a bug in shoal."
            )
    return found


def with_codes(frame: pl.DataFrame, codes: Mapping[str, pl.Series]) -> pl.DataFrame:
    """The records as a reader of such a file tells them apart: missing values by their codes."""
    shown = (pl.coalesce(frame[name].cast(pl.String), "missing: " + own.cast(pl.String)) for name, own in codes.items())
    return frame.with_columns(column.alias(name) for column, name in zip(shown, codes, strict=True))


def notes_on_merged(meanings: Mapping[str, CodeMeaning], judged: Collection[str]) -> Iterator[str]:
    """Notes on columns in which models count all missing values as one, so that they are published as one."""
    for name, meaning in meanings.items():
        if meaning.codes is not None and meaning.only is None and name in judged:
            yield f"{name}: its missing values are published without their codes, as promises count them as one value."


def of_prepared(meanings: Mapping[str, CodeMeaning], prepared: Sequence[str]) -> dict[str, CodeMeaning]:
    """The meanings of codes after columns were prepared: for these, only the codes of missing values."""
    of_missing = {
        name: replace(own, labels={code: text for code, text in own.labels.items() if own.is_missing(code)})
        for name, own in meanings.items()
        if name in prepared
    }
    return {**meanings, **of_missing}
