"""Where a table comes from: a path, a database or a frame."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import polars as pl

from shoal.errors import InputError
from shoal.io.databases import Address, address_of, read_table
from shoal.io.frames import to_polars
from shoal.io.places import Place, Remote, place_of, refuse_remote
from shoal.io.read import read_frame, said_rows
from shoal.io.stats_read import Meaning
from shoal.io.stores import read_store
from shoal.io.stripped_copy import fresh
from shoal.io.written_values import WrittenValues


@dataclass(frozen=True, eq=False)
class Loaded:
    """A frame, its path if it has one, remarks, and how to give a frame back as the kind that came in.

    From a database it has an ``address`` and the SQL ``types`` of columns that were read as text; from an object store
    a ``url``; from a file of SPSS or Stata the ``meanings`` of codes that were read as their labels.
    """

    frame: pl.DataFrame
    path: Path | None
    notes: tuple[str, ...]
    restore: Callable[[pl.DataFrame], Any]
    address: Address | None = None
    types: Mapping[str, str] = field(default_factory=dict)
    url: Remote | None = None
    meanings: Mapping[str, Meaning] = field(default_factory=dict)

    @property
    def place(self) -> Place | None:
        """The file, the table in a database or the object in a store; None where a frame was given."""
        return self.path or self.address or self.url


def load(
    data: str | Path | Address | Any,
    *,
    query: str | None = None,
    levels: Collection[str] = (),
    is_release: bool = False,
    **reading: Any,
) -> Loaded:
    """Read a path or database, or take a pandas, polars or pyarrow table; from a path the frame comes back as polars.

    Args:
        data: where the table is, or the table.
        query: SQL in place of a table's name, for databases.
        levels: levels of a pandas index that are wanted as columns.
        is_release: whether this is a release, in which no column may be of a kind that cannot be published.
        reading: how to read a file, and how values are written.
    """
    written = WrittenValues.taken_from(reading)
    found = _found(data, query, levels, missing_values=written.missing_values, empty_nested=not is_release, **reading)
    written.check_columns(found.frame.columns)
    return replace(found, frame=written.read(found.frame)) if written.says_something else found


def _found(data: Any, query: str | None, levels: Collection[str], **reading: Any) -> Loaded:
    """The table as it is written."""
    address = data if isinstance(data, Address) else address_of(data)
    if address is not None:
        return _from_database(address, query, **reading)
    if query is not None:
        raise InputError("A query is for databases such as postgresql://host/database; leave it out.")
    place = place_of(data) if isinstance(data, str) else None
    if isinstance(place, Remote):
        refuse_remote(place)
        return Loaded(read_store(place, **reading), None, (), fresh, url=place)
    if isinstance(data, str | Path):
        source = read_frame(data, **reading)
        return Loaded(source.frame, source.path, source.notes, fresh, meanings=source.meanings)
    frame, restore = to_polars(data, levels, empty_nested=reading["empty_nested"])
    return Loaded(frame, None, (), restore)


_OF_FILES = ("delimiter", "encoding", "quote", "sheet")


def _from_database(address: Address, query: str | None, **reading: Any) -> Loaded:
    rows = said_rows(reading.get("skip_rows", 0), reading.get("header_rows", 1))
    for option, value in {**{word: reading.get(word) for word in _OF_FILES}, **rows}.items():
        if value is not None:
            raise InputError(f"The option {option!r} means nothing for a database; leave it out.")
    table = read_table(address, query)
    return Loaded(table.frame, None, (), fresh, replace(address, query=query or ""), table.types)
