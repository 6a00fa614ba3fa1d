"""What every kind of database can do for us."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

import polars as pl


@dataclass(frozen=True, eq=False)
class FetchedTable:
    """A table as it was read, and the SQL types of columns that came as text because no other kind holds them."""

    frame: pl.DataFrame
    types: Mapping[str, str] = field(default_factory=dict)


class Database(Protocol):
    """An open database. Everything between ``open`` and its end is one transaction, undone where something fails."""

    def read(self, query: str) -> FetchedTable:
        """The rows that a query gives."""

    def has(self, table: tuple[str, ...]) -> bool:
        """Whether the name leads to a table or view, by the database's own rules for names."""

    def identity(self) -> str:
        """The same for two connections to one database, however it was spelled."""

    def plan(self, query: str) -> str:
        """How a query would be answered, with the names of the tables that it reads."""

    def drop(self, table: tuple[str, ...]) -> None:
        """Remove a table, if it is there."""

    def may_create(self, table: tuple[str, ...]) -> bool:
        """Whether we may make a table of that name."""

    def write(self, table: tuple[str, ...], frame: pl.DataFrame, types: Mapping[str, str]) -> None:
        """Make a table of these rows; columns named in ``types`` get that type."""


def file_identity(location: str) -> str:
    """The file behind a path, whatever links lead to it."""
    found = Path(location).stat()
    return f"{found.st_dev} {found.st_ino}"
