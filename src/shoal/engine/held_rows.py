"""Rows that cannot be published yet: with unknown values, or in too small classes."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl

from shoal.core.contracts import GroupModel, PrivacyModel, ReleaseModel, Verdict
from shoal.core.hierarchy import Hierarchy
from shoal.core.release import Release
from shoal.engine.release_check import as_it_stands
from shoal.engine.source import Loaded, load
from shoal.errors import BrokenPromise, GoalNotMet, InputError
from shoal.io.read import file_hash
from shoal.io.transaction import Together, recover, together

_INPUTS = b"shoal inputs"


class AllHeld(GoalNotMet):
    """No row can be published yet; ``held`` has the rows to keep for later."""

    def __init__(self, held: Held) -> None:
        super().__init__(
            f"Nothing can be published yet: all {held.rows.height:,} rows are held until enough rows like them arrive."
        )
        self.held = held

    @property
    def rows(self) -> pl.DataFrame:
        """The rows."""
        return self.held.rows


@dataclass(frozen=True, eq=False)
class Held:
    """Rows held in a file, the inputs that they and the published ones came from, and the file's earlier state.

    Inputs are identified by hashes, so that a repeated run, perhaps after an interruption in its last step, publishes
    nothing twice.
    """

    rows: pl.DataFrame
    inputs: tuple[str, ...] = ()
    before: str | None = None

    def write(self, files: Together, path: Path) -> None:
        """Write the rows to a file that only its owner can read: they are original data.

        Raises:
            InputError: another run changed the file since it was read.
        """
        import pyarrow.parquet as pq

        if _state(path) != self.before:
            raise InputError(
                f"The rows held in {str(path)!r} were changed by another run meanwhile; nothing was written, run again."
            )
        table = self.rows.to_arrow(compat_level=pl.CompatLevel.oldest())
        said = {_INPUTS: json.dumps(self.inputs)}
        pq.write_table(table.replace_schema_metadata(said), files.path(path, private=True))


def with_held(source: Loaded, path: Path) -> Held:
    """The new rows after those held so far.

    Raises:
        InputError: the held rows have other columns, or the new ones were in an earlier run already.
    """
    import pyarrow.parquet as pq

    recover(path.parent)
    mark = _mark(source)
    if not path.exists():
        return Held(source.frame, (mark,))
    before, frame = _state(path), source.frame
    inputs = tuple(json.loads((pq.read_schema(path).metadata or {}).get(_INPUTS, b"[]")))
    if mark in inputs:
        given = "These rows" if source.path is None else f"The rows of {str(source.path)!r}"
        advice = "" if source.path else ", or if they are of other people, give them as a file of another name"
        raise InputError(
            f"{given} were in an earlier run with {str(path)!r}: they are published or held already; run this with "
            f"rows that were not in it{advice}."
        )
    held = load(path).frame
    if sorted(held.columns) != sorted(frame.columns):
        raise InputError(f"The rows held in {str(path)!r} do not have the columns of the new rows; use another file.")
    rows = pl.concat([held.select(frame.columns), frame], how="vertical_relaxed")
    return Held(rows, (*inputs, mark), before)


def _mark(source: Loaded) -> str:
    """A hash that identifies an input: a file by its name and content, a frame by its rows in any order."""
    if source.path is not None:
        said = f"{source.path.resolve()}\n{file_hash(source.path)}"
    else:
        columns = sorted(source.frame.columns)
        said = source.frame.select(columns).sort(columns).write_csv()
    return hashlib.sha256(said.encode()).hexdigest()


def _state(path: Path) -> str | None:
    return file_hash(path) if path.exists() else None


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


def published_rows(release: Release) -> pl.Series:
    """Whether each row owns a record."""
    kept = np.zeros(release.table.n_rows, bool)
    kept[release.owners] = True
    return pl.Series(kept)


def write_held(held: Held, target: Path) -> None:
    """Write held rows, completely or not at all."""
    with together(target) as files:
        held.write(files, target)


def labels_of(earlier: pl.DataFrame, columns: Sequence[str]) -> pl.DataFrame:
    """These columns of an earlier release as texts; raises InputError if it lacks one."""
    if missing := [name for name in columns if name not in earlier.columns]:
        raise InputError(f"An earlier release has no column {missing[0]!r}; give releases of the same recoding.")
    return earlier.select(pl.col(columns).cast(pl.String))


def check_union(
    frames: Sequence[pl.DataFrame], quasi: Sequence[str], sensitive: Sequence[str], promises: Sequence[PrivacyModel]
) -> list[Verdict]:
    """Judge earlier releases and the new one as one table, by their printed labels.

    Raises:
        InputError: one lacks a column.
        BrokenPromise: a model does not hold in the union.
    """
    union = pl.concat([labels_of(frame, [*quasi, *sensitive]) for frame in frames])
    visible = [
        promise for promise in promises if isinstance(promise, GroupModel | ReleaseModel) and not promise.needs_original
    ]
    table = Release.identity(as_it_stands(union, quasi, sensitive))
    verdicts = [promise.check(table) for promise in visible]
    for verdict in verdicts:
        if not verdict.holds:
            raise BrokenPromise(
                f"Together with the earlier releases {verdict}; nothing was written. With --hold FILE rows can wait."
            )
    return verdicts
