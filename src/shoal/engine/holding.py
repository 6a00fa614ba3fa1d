"""Rows that cannot be published yet: never seen before, or too few of their kind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from shoal.core.contracts import GroupModel, PrivacyModel, Verdict
from shoal.core.hierarchy import Hierarchy
from shoal.core.release import Release
from shoal.engine.check import as_it_stands
from shoal.engine.source import load
from shoal.errors import BrokenPromise, GoalNotMet, InputError
from shoal.io.arrow_write import write_parquet
from shoal.io.atomic import atomic
from shoal.io.databases import Address, write_table
from shoal.io.places import Place, Remote
from shoal.io.stores import write_store
from shoal.io.together import File, Table, finish_together, journal_of, write_together
from shoal.io.write import FORMATS

if TYPE_CHECKING:
    from shoal.engine.result import Result


class AllHeld(GoalNotMet):
    """No row can be published yet; ``rows`` are the ones to keep for later."""

    def __init__(self, rows: pl.DataFrame) -> None:
        super().__init__(
            f"Nothing can be published yet: all {rows.height:,} rows are held until enough of their kind come."
        )
        self.rows = rows


def with_held(frame: pl.DataFrame, path: Path) -> pl.DataFrame:
    """The new rows after those held so far.

    Raises:
        InputError: the held rows have other columns, or an earlier run was stopped in the middle of its writing: it is
            finished first.
    """
    journal = journal_of(path)
    if journal.exists():
        finished = " and ".join(str(target) for target in finish_together(journal))
        raise InputError(
            f"An earlier run was stopped when its release was complete but not in place; now it is ({finished}). "
            "Do not publish its rows again; run this with rows that were not in it."
        )
    if not path.exists():
        return frame
    held = load(path).frame
    if sorted(held.columns) != sorted(frame.columns):
        raise InputError(f"The rows held in {str(path)!r} have other columns than the new ones; hold them elsewhere.")
    return pl.concat([held.select(frame.columns), frame], how="vertical_relaxed")


def never_seen(
    frame: pl.DataFrame, hierarchies: Mapping[str, Hierarchy], orders: Mapping[str, Sequence[str]]
) -> pl.Series:
    """Whether each row has a value that the recoding does not know."""
    unknown = pl.Series(np.zeros(frame.height, bool))
    known = {name: list(tree.leaves) for name, tree in hierarchies.items()} | {n: list(o) for n, o in orders.items()}
    for name, values in known.items():
        if name in frame.columns:
            texts = frame[name].cast(pl.String)
            unknown |= texts.is_not_null() & ~texts.is_in(values)
    return unknown


def left_over(release: Release, rows: pl.DataFrame) -> pl.DataFrame:
    """The rows that own no record."""
    kept = np.zeros(rows.height, bool)
    kept[release.owners] = True
    return rows.filter(pl.Series(~kept))


def write_held(rows: pl.DataFrame, target: Path) -> None:
    """Keep the rows in a file that only its owner may read: they are originals."""
    with atomic(target, private=True) as path:
        write_parquet(rows, path)


def write_with_held(result: Result, place: Place, hold: Path) -> None:
    """Write a release and the rows that it holds back, both or neither: no row is published twice, and none is lost.

    Raises:
        InputError: no row was held back, or the release cannot be written.
    """
    if result.held is None:
        raise InputError("No row was held back; only shoal.apply with hold= does so.")
    held = result.held
    waiting = File(hold, lambda path: write_parquet(held, path), private=True)
    if isinstance(place, Address):
        table = Table(place.shown, lambda: write_table(result.frame, place, result.source.types))
        write_together(journal_of(hold), [waiting], table)
    elif isinstance(place, Remote):
        write_together(journal_of(hold), [waiting], Table(str(place), lambda: write_store(result.frame, place)))
    else:
        write = FORMATS[place.suffix.lower()]
        write_together(journal_of(hold), [File(place, lambda path: write(result.frame, path)), waiting])


def check_union(
    frames: Sequence[pl.DataFrame], quasi: Sequence[str], sensitive: Sequence[str], promises: Sequence[PrivacyModel]
) -> list[Verdict]:
    """Judge earlier releases and the new one as one table, by their printed labels.

    Raises:
        InputError: they have other columns.
        BrokenPromise: a promise does not hold in the union.
    """
    wanted = [*quasi, *sensitive]
    for frame in frames:
        if missing := [name for name in wanted if name not in frame.columns]:
            raise InputError(f"An earlier release has no column {missing[0]!r}; give releases of the same recoding.")
    union = pl.concat([frame.select(pl.col(wanted).cast(pl.String)) for frame in frames])
    visible = [promise for promise in promises if isinstance(promise, GroupModel) and not promise.needs_original]
    table = Release.identity(as_it_stands(union, quasi, sensitive))
    verdicts = [promise.check(table) for promise in visible]
    for verdict in verdicts:
        if not verdict.holds:
            raise BrokenPromise(f"Together with the earlier releases {verdict}; nothing was written.")
    return verdicts
