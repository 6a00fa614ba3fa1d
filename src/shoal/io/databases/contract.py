"""What every kind of database can do for us."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Protocol

import polars as pl


@dataclass(frozen=True, eq=False)
class Table:
    """A table as it was read, and the SQL types of columns that came as text because no other kind holds them."""

    frame: pl.DataFrame
    types: Mapping[str, str] = field(default_factory=dict)


class Database(Protocol):
    """An open database. Everything between ``open`` and its end is one transaction, undone where something fails."""

    def read(self, query: str) -> Table:
        """The rows that a query gives."""

    def has(self, table: tuple[str, ...]) -> bool:
        """Whether a table or view of that name is there."""

    def may_create(self, table: tuple[str, ...]) -> bool:
        """Whether we may make a table of that name."""

    def write(self, table: tuple[str, ...], frame: pl.DataFrame, types: Mapping[str, str], replace: bool) -> None:
        """Make a table of these rows; columns named in ``types`` get that type."""


class Kind(Protocol):
    """How to open one kind of database."""

    def open(self, location: str, *, writing: bool) -> AbstractContextManager[Database]:
        """A connection that is closed at the end; what was written is committed there, or undone on an error."""
