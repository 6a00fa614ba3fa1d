"""SQLite through ADBC. Columns declared as Boolean, date or time are read and written as such."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, cast

import polars as pl

from shoal.errors import InputError
from shoal.io.databases.address import quoted
from shoal.io.databases.contract import DatabaseFile, FetchedTable
from shoal.io.databases.faults import needs_driver, translated

_BATCH = "4000000"
"""Rows examined to find the type of a column: SQLite's columns have no fixed type."""


class Sqlite(DatabaseFile):
    """An open SQLite file."""

    def __init__(self, connection: Any, location: str) -> None:
        self._cursor = connection.cursor()
        super().__init__(self._cursor.execute, location)

    def read(self, query: str) -> FetchedTable:
        """Return the rows of a query."""
        self._cursor.adbc_statement.set_options(**{"adbc.sqlite.query.batch_rows": _BATCH})
        self._cursor.execute(query)
        frame = cast("pl.DataFrame", pl.from_arrow(self._cursor.fetch_arrow_table()))
        declared = self._declared(query)
        return FetchedTable(frame.with_columns(_as_declared(column, declared.get(column.name, "")) for column in frame))

    def _declared(self, query: str) -> dict[str, str]:
        """The declared column types, if the query reads a plain table."""
        plain = re.fullmatch(r'SELECT \* FROM ("(?:[^"]|"")+")', query)
        if plain is None:
            return {}
        self._cursor.execute(f"PRAGMA table_info({plain[1]})")
        return {row[1]: str(row[2]).upper() for row in self._cursor.fetchall()}

    def has(self, table: tuple[str, ...]) -> bool:
        """Whether a table or view has the name, ignoring case."""
        if table[0].lower() != "main" and len(table) == 2:
            raise InputError(f"A SQLite file has no schema {table[0]!r}; write its tables without one.")
        self._cursor.execute("SELECT count(*) FROM sqlite_master WHERE name = ? COLLATE NOCASE", (table[-1],))
        return bool(self._cursor.fetchone()[0])

    def plan(self, query: str) -> str:
        """The query plan; fails if a table does not exist."""
        self._cursor.execute(f"EXPLAIN QUERY PLAN {query}")
        return "\n".join(str(row[-1]) for row in self._cursor.fetchall())

    def write(self, table: tuple[str, ...], frame: pl.DataFrame, types: Mapping[str, str]) -> None:
        """Create the table and insert the rows."""
        columns = ", ".join(f"{quoted(column.name)} {_type(column.dtype)}" for column in frame)
        self._cursor.execute(f"CREATE TABLE {quoted(table[-1])} ({columns})")
        rows = frame.to_arrow(compat_level=pl.CompatLevel.oldest())
        self._cursor.adbc_ingest(table[-1], rows, mode="append")


@contextmanager
def open_sqlite(location: str, *, writing: bool) -> Iterator[Sqlite]:
    """Open one connection and one transaction; a file that is only read must exist."""
    if not writing and not Path(location).is_file():
        raise InputError(f"There is no SQLite database {location!r}.")
    with needs_driver("SQLite"):
        from adbc_driver_sqlite import dbapi  # slow to import
    was_stopped = Path(f"{location}-journal").exists()  # if so, SQLite must roll back, even to read
    opened = location if writing or was_stopped else f"{Path(location).resolve().as_uri()}?mode=ro"
    with translated(location), closing(dbapi.connect(opened)) as connection:
        yield Sqlite(connection, location)
        if writing:
            connection.commit()


def _type(dtype: pl.DataType) -> str:
    if dtype.is_integer():
        return "INTEGER"
    if dtype.is_float():
        return "REAL"
    named = {pl.Boolean: "BOOLEAN", pl.Date: "DATE", pl.Datetime: "TIMESTAMP"}
    return next((name for kind, name in named.items() if dtype == kind), "TEXT")


def _as_declared(column: pl.Series, declared: str) -> pl.Series:
    """Convert the column to its declared type, if all its values fit it."""
    if declared in ("BOOL", "BOOLEAN") and column.dtype.is_integer() and column.drop_nulls().is_in([0, 1]).all():
        return column.cast(pl.Boolean)
    if column.dtype != pl.String or declared not in ("DATE", "DATETIME", "TIMESTAMP"):
        return column
    if declared == "DATE":
        made = column.str.to_date("%Y-%m-%d", strict=False)
    else:
        made = column.str.replace("T", " ", literal=True).str.to_datetime("%Y-%m-%d %H:%M:%S%.f", strict=False)
    return made if made.null_count() == column.null_count() else column
