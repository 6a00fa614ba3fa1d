"""DuckDB: a file, read and written with its own library."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, cast

import polars as pl

from shoal.errors import InputError
from shoal.io.databases.address import quoted
from shoal.io.databases.contract import DatabaseFile, FetchedTable
from shoal.io.databases.faults import needs_driver, translated


class Duck(DatabaseFile):
    """An open DuckDB file."""

    def __init__(self, connection: Any, location: str) -> None:
        super().__init__(connection.execute, location)
        self._connection = connection

    def read(self, query: str) -> FetchedTable:
        """Return the rows of a query. Decimals and huge integers come as text, so no digit is lost."""
        described = self._connection.execute(f"DESCRIBE {query}").fetchall()
        types = {name: kind for name, kind, *_ in described if kind.startswith(("DECIMAL", "HUGEINT", "UHUGEINT"))}
        for name, kind, *_ in described:
            if kind == "INTERVAL":
                raise InputError(
                    f"The column {name!r} is of type INTERVAL, which cannot be published; turn it into text in a "
                    "query, or leave it out."
                )
        columns = ", ".join(
            f"CAST({quoted(name)} AS VARCHAR) AS {quoted(name)}" if name in types else quoted(name)
            for name, *_ in described
        )
        found = self._connection.sql(f"SELECT {columns} FROM ({query})").to_arrow_table()  # noqa: S608 (quoted)
        return FetchedTable(cast("pl.DataFrame", pl.from_arrow(found)), types)

    def has(self, table: tuple[str, ...]) -> bool:
        """Whether a table or view has the name, ignoring case; the file's own name may take the place of a schema."""
        schema = table[0] if len(table) == 2 else "main"
        found = self._connection.execute(
            "SELECT count(*) FROM information_schema.tables WHERE lower(table_name) = lower(?) AND "
            "(lower(table_schema) = lower(?) OR (table_schema = 'main' AND lower(table_catalog) = lower(?)))",
            [table[-1], schema, schema],
        ).fetchall()
        return bool(found[0][0])

    def plan(self, query: str) -> str:
        """The query plan, with the full names of tables."""
        return str(self._connection.execute(f"EXPLAIN {query}").fetchall())

    def write(self, table: tuple[str, ...], frame: pl.DataFrame, types: Mapping[str, str]) -> None:
        """Create the table; decimals become decimals again."""
        self._connection.register("shoal rows", frame.to_arrow(compat_level=pl.CompatLevel.oldest()))
        columns = ", ".join(
            f"CAST({quoted(column)} AS {types[column]}) AS {quoted(column)}" if column in types else quoted(column)
            for column in frame.columns
        )
        self._connection.execute(f'CREATE TABLE {quoted(*table)} AS SELECT {columns} FROM "shoal rows"')  # noqa: S608 (quoted)
        self._connection.unregister("shoal rows")


@contextmanager
def open_duck(location: str, *, writing: bool) -> Iterator[Duck]:
    """Open one connection and one transaction; a file that is only read must exist."""
    if not writing and not Path(location).is_file():
        raise InputError(f"There is no DuckDB database {location!r}.")
    with needs_driver("DuckDB"):
        import duckdb  # slow to import
    with translated(location), closing(duckdb.connect(location, read_only=not writing)) as connection:
        connection.begin()
        yield Duck(connection, location)
        if writing:
            connection.commit()
