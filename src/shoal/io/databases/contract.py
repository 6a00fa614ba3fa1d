"""The interface of every kind of database."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import polars as pl

from shoal.io.databases.address import quoted


@dataclass(frozen=True, eq=False)
class FetchedTable:
    """A table as read, and the SQL types of columns read as text because no other type holds them exactly."""

    frame: pl.DataFrame
    types: Mapping[str, str] = field(default_factory=dict)


class Database(ABC):
    """An open database. Everything until it is closed is one transaction, rolled back on failure."""

    def __init__(self, execute: Callable[[str], object]) -> None:
        self._execute = execute

    @abstractmethod
    def read(self, query: str) -> FetchedTable:
        """Return the rows of a query."""

    @abstractmethod
    def has(self, table: tuple[str, ...]) -> bool:
        """Whether a table or view has this name, by the database's own rules for names."""

    @abstractmethod
    def identity(self) -> str:
        """A text that is equal for two connections to the same database, however its address is spelled."""

    @abstractmethod
    def plan(self, query: str) -> str:
        """The query plan, with the names of the tables that are read."""

    def drop(self, table: tuple[str, ...]) -> None:
        """Remove a table if it exists."""
        self._execute(f"DROP TABLE IF EXISTS {quoted(*table)}")

    def may_create(self, table: tuple[str, ...]) -> bool:
        """Whether we may create a table of that name; a file that can be written has no finer permissions."""
        return True

    @abstractmethod
    def write(self, table: tuple[str, ...], frame: pl.DataFrame, types: Mapping[str, str]) -> None:
        """Create a table with these rows; columns named in ``types`` get that type."""


class DatabaseFile(Database):
    """A database that is one file."""

    def __init__(self, execute: Callable[[str], object], location: str) -> None:
        super().__init__(execute)
        self._location = location

    def identity(self) -> str:
        """The file, whatever links lead to it."""
        found = Path(self._location).stat()
        return f"{found.st_dev} {found.st_ino}"
