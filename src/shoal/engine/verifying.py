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
from shoal.engine.check import as_it_stands
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
    **reading: Any,
) -> Verification:
    """Check which promises a table keeps as it stands: equal labels are equal, missing is a value like any other.

    O(records · columns). The checks share no code with the algorithms' searches but the models' own measure.

    Raises:
        InputError: an unknown column, no promise, an empty table.
    """
    promises = check_promises(privacy)
    if not promises:
        raise InputError("No promise was named to check; give at least one, such as k = 5.")
    source = load(data, **reading)
    Schema(tuple(quasi_identifiers), tuple(sensitive)).check_columns(source.frame.columns)
    if source.frame.is_empty():
        raise InputError("The table has no rows; there is nothing to check.")
    release = Release.identity(as_it_stands(source.frame, quasi_identifiers, sensitive))
    verdicts = tuple(promise.check(release) for promise in promises)
    worst = [
        entry
        for promise, verdict in zip(promises, verdicts, strict=True)
        for entry in worst_classes(release, promise, verdict, source.frame.select(quasi_identifiers))
    ]
    return Verification(verdicts, tuple(worst), source.frame.height)


def worst_classes(
    release: Release, promise: PrivacyModel, verdict: Verdict, labels: pl.DataFrame, most: int = 5
) -> list[WorstClass]:
    """The classes or pools in which the promise is kept least, by name. ``labels`` has one row per row of the table."""
    groups = release.classes if verdict.reads == "classes" else release.pools
    found = []
    for group, measure in list(zip(verdict.worst, verdict.worst_measures, strict=True))[:most]:
        rows = groups.of(group)
        row = labels.row(int(rows[0]), named=True)
        shown = {name: None if value is None else str(value) for name, value in row.items()}
        found.append(WorstClass(str(promise), shown, int(rows.size), measure))
    return found
