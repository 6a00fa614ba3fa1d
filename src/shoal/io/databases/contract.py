"""The interface of every kind of database."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

import polars as pl


@dataclass(frozen=True, eq=False)
class FetchedTable:
    """A table as read, and the SQL types of columns read as text because no other type holds them exactly."""

    frame: pl.DataFrame
    types: Mapping[str, str] = field(default_factory=dict)


class Database(Protocol):
    """An open database. Everything until it is closed is one transaction, rolled back on failure."""

    def read(self, query: str) -> FetchedTable:
        """Return the rows of a query."""

    def has(self, table: tuple[str, ...]) -> bool:
        """Whether a table or view has this name, by the database's own rules for names."""

    def identity(self) -> str:
        """A text that is equal for two connections to the same database, however its address is spelled."""

    def plan(self, query: str) -> str:
        """The query plan, with the names of the tables that are read."""

    def drop(self, table: tuple[str, ...]) -> None:
        """Remove a table if it exists."""

    def may_create(self, table: tuple[str, ...]) -> bool:
        """Whether we may create a table of that name."""

    def write(self, table: tuple[str, ...], frame: pl.DataFrame, types: Mapping[str, str]) -> None:
        """Create a table with these rows; columns named in ``types`` get that type."""


def file_identity(location: str) -> str:
    """Identify the file at a path, independent of links."""
    found = Path(location).stat()
    return f"{found.st_dev} {found.st_ino}"
