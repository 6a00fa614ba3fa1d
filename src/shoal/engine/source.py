"""Where a table comes from: a path, a database or a frame."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import polars as pl

from shoal.errors import InputError
from shoal.io.columns import mark_missing
from shoal.io.databases import Address, address_of, read_table
from shoal.io.frames import to_polars
from shoal.io.fresh import fresh
from shoal.io.read import read_frame


@dataclass(frozen=True, eq=False)
class Loaded:
    """A frame, its path if it has one, remarks, and how to give a frame back as the kind that came in.

    From a database it has an ``address`` and the SQL ``types`` of columns that were read as text.
    """

    frame: pl.DataFrame
    path: Path | None
    notes: tuple[str, ...]
    restore: Callable[[pl.DataFrame], Any]
    address: Address | None = None
    types: Mapping[str, str] = field(default_factory=dict)

    @property
    def place(self) -> Path | Address | None:
        """The file or the table in a database; None where a frame was given."""
        return self.path or self.address


def load(data: str | Path | Address | Any, *, query: str | None = None, **reading: Any) -> Loaded:
    """Read a path or database, or take a pandas, polars or pyarrow table; from a path the frame comes back as polars.

    Args:
        data: where the table is, or the table.
        query: SQL in place of a table's name, for databases.
        reading: how to read a file.
    """
    address = data if isinstance(data, Address) else address_of(data)
    if address is not None:
        return _from_database(address, query, **reading)
    if query is not None:
        raise InputError("A query is for databases such as postgresql://host/database; leave it out.")
    if isinstance(data, str | Path):
        source = read_frame(data, **reading)
        return Loaded(source.frame, source.path, source.notes, fresh)
    frame, restore = to_polars(data)
    return Loaded(frame, None, (), restore)


def _from_database(address: Address, query: str | None, missing_values: Sequence[str] = (), **reading: Any) -> Loaded:
    for option, value in reading.items():
        if value is not None:
            raise InputError(f"The option {option!r} means nothing for a database; leave it out.")
    table = read_table(address, query)
    return Loaded(mark_missing(table.frame, missing_values), None, (), fresh, address, table.types)
