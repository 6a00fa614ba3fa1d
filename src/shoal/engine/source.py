"""Loads a table from a path, a database or a frame."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import polars as pl

from shoal.io.column_rules import fresh
from shoal.io.databases import Address
from shoal.io.frames import to_polars
from shoal.io.location import Location
from shoal.io.place import place_at, refuse_query
from shoal.io.stats_read import CodeMeaning
from shoal.io.written_values import WrittenValues


@dataclass(frozen=True, eq=False)
class Loaded:
    """A frame, its origin (``place``), notes, and how to convert a frame back to the type that was given.

    From a database it has the SQL ``types`` of columns that were read as text; from an SPSS or Stata file the
    ``meanings`` of codes that were read as their labels.
    """

    frame: pl.DataFrame
    place: Location | None
    notes: tuple[str, ...]
    restore: Callable[[pl.DataFrame], Any]
    types: Mapping[str, str] = field(default_factory=dict)
    meanings: Mapping[str, CodeMeaning] = field(default_factory=dict)

    @property
    def path(self) -> Path | None:
        """The file that was read; None if the source is not a file."""
        return None if self.place is None else place_at(self.place).path


def load(
    data: str | Path | Address | Any,
    *,
    query: str | None = None,
    levels: Collection[str] = (),
    is_release: bool = False,
    folds: bool = True,
    **reading: Any,
) -> Loaded:
    """Read a path or database, or take a pandas, polars or pyarrow table; the frame for a path is polars.

    Args:
        data: where the table is, or the table.
        query: SQL instead of a table's name, for databases.
        levels: levels of a pandas index that are wanted as columns.
        is_release: whether this is a release, in which no column may have a type that cannot be published.
        folds: whether NaN becomes missing and negative zero becomes zero, as in ``settle``.
        reading: how to read a file, and how values are written.
    """
    written = WrittenValues.taken_from(reading)
    settling = {"empty_nested": not is_release, "folds": folds}
    if isinstance(data, str | Path | Address):
        read = place_at(data).read(query, missing_values=written.missing_values, **settling, **reading)
        found = Loaded(read.frame, read.location, read.notes, fresh, read.types, read.meanings)
    else:
        refuse_query(query)
        frame, restore = to_polars(data, levels, **settling)
        found = Loaded(frame, None, (), restore)
    written.check_columns(found.frame.columns)
    return replace(found, frame=written.read(found.frame)) if written.says_something else found
