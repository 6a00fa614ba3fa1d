"""Check any table, also one that another tool made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from shoal.core.contracts import PrivacyModel, Verdict
from shoal.core.release import Release
from shoal.core.schema import Schema
from shoal.engine.check import Names, as_it_stands, in_buckets
from shoal.engine.choice import check_promises
from shoal.engine.source import load
from shoal.errors import InputError


@dataclass(frozen=True)
class WorstClass:
    """A class that keeps a promise least: its published values, its size and its measure."""

    promise: str
    labels: dict[str, str | None]
    size: int
    measure: float


@dataclass(frozen=True)
class Verification:
    """What a table keeps and what it does not."""

    verdicts: tuple[Verdict, ...]
    worst: tuple[WorstClass, ...]
    n_records: int

    @property
    def holds(self) -> bool:
        """Whether every promise holds."""
        return all(verdict.holds for verdict in self.verdicts)


def verify(
    data: str | Path | Any,
    *,
    quasi_identifiers: Sequence[str],
    privacy: PrivacyModel | Sequence[PrivacyModel],
    sensitive: Sequence[str] = (),
    sensitive_table: str | Path | Any | None = None,
    bucket: str = "bucket",
    **reading: Any,
) -> Verification:
    """Check which promises a table keeps as it stands: equal labels are equal, missing is a value like any other.

    O(records · columns). The checks share no code with the algorithms' searches but the models' own measure.

    Args:
        data: a path, or a pandas, polars or pyarrow table.
        quasi_identifiers: columns that an adversary may know.
        privacy: the promises to check.
        sensitive: columns that must not be tied to a person.
        sensitive_table: where sensitive values are published apart (Anatomy), the table that has them: the bucket,
            the sensitive columns, and last how many rows of the bucket have these values.
        bucket: the column that joins the two tables.
        reading: ``delimiter``, ``encoding``, ``quote``, ``sheet``, ``missing_values`` for files.

    Raises:
        InputError: an unknown column, no promise, an empty table.
    """
    promises = check_promises(privacy)
    if not promises:
        raise InputError("No promise was named to check; give at least one, such as k = 5.")
    source = load(data, **reading)
    if source.frame.is_empty():
        raise InputError("The table has no rows; there is nothing to check.")
    if sensitive_table is None:
        Schema(tuple(quasi_identifiers), tuple(sensitive)).check_columns(source.frame.columns)
        release = Release.identity(as_it_stands(source.frame, quasi_identifiers, sensitive))
    else:
        values = load(sensitive_table, **reading).frame
        release = _two_tables(source.frame, values, tuple(quasi_identifiers), tuple(sensitive), bucket)
    verdicts = tuple(promise.check(release) for promise in promises)
    worst = [
        entry
        for promise, verdict in zip(promises, verdicts, strict=True)
        for entry in worst_classes(release, promise, verdict, source.frame.select(quasi_identifiers))
    ]
    return Verification(verdicts, tuple(worst), source.frame.height)


def _two_tables(
    frame: pl.DataFrame, values: pl.DataFrame, quasi: tuple[str, ...], sensitive: tuple[str, ...], bucket: str
) -> Release:
    """The release that two tables make together."""
    if not sensitive:
        raise InputError("No sensitive column was named; say which columns of the second table are sensitive.")
    Schema((*quasi, bucket)).check_columns(frame.columns)
    Schema((bucket,), sensitive).check_columns(values.columns)
    counts = [name for name in values.columns if name not in (bucket, *sensitive)]
    if len(counts) != 1:
        raise InputError(
            f"The second table must have {bucket!r}, the sensitive columns and one column that counts rows, got "
            f"{', '.join(values.columns)}."
        )
    try:
        told = values.with_columns(pl.col(counts[0]).cast(pl.Int64))
    except pl.exceptions.InvalidOperationError:
        raise InputError(f"The column {counts[0]!r} of the second table must count rows in whole numbers.") from None
    return in_buckets(frame, told, Names(quasi, sensitive, bucket, counts[0]))


def worst_classes(
    release: Release, promise: PrivacyModel, verdict: Verdict, labels: pl.DataFrame, most: int = 5
) -> list[WorstClass]:
    """The classes or pools in which the promise is kept least, by name. ``labels`` has one row per row of the table."""
    groups = release.classes if verdict.reads == "classes" else release.pools
    found: list[WorstClass] = []
    if release.buckets is not None:
        return found  # rows lie in another order, and a bucket has no labels of its own
    for group, measure in list(zip(verdict.worst, verdict.worst_measures, strict=True))[:most]:
        rows = groups.of(group)
        row = labels.row(int(rows[0]), named=True)
        shown = {name: None if value is None else str(value) for name, value in row.items()}
        found.append(WorstClass(str(promise), shown, int(rows.size), measure))
    return found
