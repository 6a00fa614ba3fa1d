"""PostgreSQL through ADBC: rows are transferred as Arrow, by binary COPY in both directions."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from typing import Any, cast

import polars as pl
import pyarrow as pa

from shoal.errors import InputError
from shoal.io.databases.address import quoted
from shoal.io.databases.contract import Database, FetchedTable
from shoal.io.databases.faults import needs_driver, translated

_UNREADABLE = ("money", "interval", "bytea")
_PATIENCE = 10
"""Seconds to wait for a server that does not respond, unless PGCONNECT_TIMEOUT or the address sets another limit."""


class Postgres(Database):
    """An open connection."""

    def __init__(self, connection: Any) -> None:
        self._connection = connection
        self._cursor = connection.cursor()
        super().__init__(self._cursor.execute)

    def read(self, query: str) -> FetchedTable:
        """Return the rows of a query. Numerics come as text, so no digit is lost."""
        self._cursor.execute(query)
        found = self._cursor.fetch_arrow_table()
        types = {field.name: kind for field in found.schema if (kind := _numeric(field))}
        columns = [_plain(field, column) for field, column in zip(found.schema, found.columns, strict=True)]
        table = pa.table(columns, names=found.column_names) if columns else found
        return FetchedTable(cast("pl.DataFrame", pl.from_arrow(table)), types)

    def has(self, table: tuple[str, ...]) -> bool:
        """Whether a table or view has the name."""
        return self._ask("SELECT to_regclass($1) IS NOT NULL", quoted(*table))

    def identity(self) -> str:
        """The start time of the server, and the name of the database."""
        self._cursor.execute("SELECT pg_postmaster_start_time()::text || ' ' || current_database()")
        return str(self._cursor.fetchone()[0])

    def plan(self, query: str) -> str:
        """The query plan, with the schema of every table."""
        with self._connection.cursor() as cursor:
            cursor.adbc_statement.set_options(**{"adbc.postgresql.use_copy": "false"})  # EXPLAIN cannot run under COPY
            cursor.execute(f"EXPLAIN (VERBOSE, COSTS OFF) {query}")
            return "\n".join(str(row[0]) for row in cursor.fetchall())

    def may_create(self, table: tuple[str, ...]) -> bool:
        """Whether we may create tables in the schema, by default the current one."""
        schema = table[0] if len(table) == 2 else None
        if schema is None:
            return self._ask("SELECT coalesce(has_schema_privilege(current_schema(), $1), false)", "CREATE")
        return self._ask("SELECT coalesce(bool_or(has_schema_privilege(oid, 'CREATE')), false) FROM pg_namespace "
                         "WHERE nspname = $1", schema)  # fmt: skip

    def write(self, table: tuple[str, ...], frame: pl.DataFrame, types: Mapping[str, str]) -> None:
        """Create the table; numerics get their type back afterwards."""
        rows = frame.to_arrow(compat_level=pl.CompatLevel.oldest())
        schema = table[0] if len(table) == 2 else None
        self._cursor.adbc_ingest(table[-1], rows, mode="create", db_schema_name=schema)
        if types:
            changes = [f"ALTER {quoted(c)} TYPE {kind} USING {quoted(c)}::{kind}" for c, kind in types.items()]
            self._cursor.execute(f"ALTER TABLE {quoted(*table)} " + ", ".join(changes))

    def _ask(self, question: str, parameter: str) -> bool:
        self._cursor.execute(question, (parameter,))
        return bool(self._cursor.fetchone()[0])


@contextmanager
def open_postgres(location: str, *, writing: bool) -> Iterator[Postgres]:
    """Open one connection and one transaction."""
    with needs_driver("PostgreSQL"):
        from adbc_driver_postgresql import dbapi  # slow to import
    with translated(location), closing(dbapi.connect(_patient(location))) as connection:
        yield Postgres(connection)
        if writing:
            connection.commit()


def _patient(location: str) -> str:
    if "connect_timeout" in location or "PGCONNECT_TIMEOUT" in os.environ:
        return location
    return f"{location}{'&' if '?' in location else '?'}connect_timeout={_PATIENCE}"


def _numeric(field: pa.Field) -> str | None:
    """``numeric`` or ``numeric(10,2)``; None for other types."""
    said = field.metadata or {}
    if said.get(b"POSTGRESQL:type") != b"numeric":
        return None
    modifier = int(said.get(b"POSTGRESQL:typmod", b"-1")) - 4
    return f"numeric({modifier >> 16},{modifier & 0x7FF})" if modifier >= 0 else "numeric"


def _plain(field: pa.Field, column: pa.ChunkedArray) -> pa.ChunkedArray:
    """The column without PostgreSQL's own types: numerics, JSON and identifiers become text."""
    kind = (field.metadata or {}).get(b"POSTGRESQL:type", b"").decode()
    is_own = isinstance(column.type, pa.BaseExtensionType)
    storage = column.type.storage_type if is_own else column.type
    if kind == "uuid":
        return pa.chunked_array([[None if each is None else str(each) for each in column.to_pylist()]], pa.string())
    if kind in _UNREADABLE or (is_own and not pa.types.is_string(storage)):
        raise InputError(
            f"The column {field.name!r} is of type {kind}, which cannot be published; turn it into text in a query, or "
            "leave it out."
        )
    if not is_own:
        return column
    texts = pa.chunked_array([chunk.storage for chunk in column.chunks], storage)
    if kind != "numeric":
        return texts
    import pyarrow.compute as pc  # slow to import

    return pc.if_else(pc.equal(texts, "NaN"), pa.scalar(None, pa.string()), texts)  # NaN is missing, as everywhere
