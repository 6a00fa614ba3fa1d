"""Reading a table or query, and writing a table, in any kind of database."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import replace as changed
from pathlib import Path

import polars as pl

from shoal.errors import InputError
from shoal.io.column_rules import check_names, fresh, settle
from shoal.io.databases.address import Address
from shoal.io.databases.contract import Database, FetchedTable
from shoal.io.databases.duck import open_duck
from shoal.io.databases.postgres import open_postgres
from shoal.io.databases.sqlite import open_sqlite

_OPEN: Mapping[str, Callable[..., AbstractContextManager[Database]]] = {
    "postgresql": open_postgres,
    "sqlite": open_sqlite,
    "duckdb": open_duck,
}
_NUMBER = r"^-?\d+(\.\d+)?$"


def read_table(address: Address, query: str | None = None, *, folds: bool = True) -> FetchedTable:
    """Read the table that the address names, or the result of a query. The right to SELECT suffices.

    ``folds`` is as for ``settle``.

    Raises:
        InputError: it cannot be read, has no rows or no columns, or has a column that cannot be published.
    """
    if query is not None and address.table:
        raise InputError(f"Both a query and the table {'.'.join(address.table)!r} are named; name one of them.")
    if query is None:
        address.needs_table()
    asked = changed(address, query=query or "")
    with _OPEN[address.kind](address.location, writing=False) as database:
        found = database.read(asked.sql)
    check_names(found.frame.columns, address.shown)
    if not found.frame.height:
        raise InputError(f"{address.shown} has columns but no rows; a table needs at least one row.")
    return FetchedTable(settle(found.frame, folds=folds), found.types)


def check_table(address: Address, sources: Sequence[Address], *, replace: bool) -> None:
    """Raise InputError if the table cannot be written; call this before the work begins.

    Only the database can tell whether a table to be replaced is one of the sources, or is read by a source that is a
    view or a query: the table is dropped in a transaction that is rolled back, and the plans of the sources must not
    change.
    """
    address.needs_table()
    if address.kind != "postgresql" and not _is_there(address):
        return
    with _OPEN[address.kind](address.location, writing=False) as database:
        is_there = database.has(address.table)
        if is_there and not replace:
            raise InputError(f"The output table {address.shown} exists already; choose another name, or use --replace.")
        if not database.may_create(address.table):
            raise InputError(f"You may not create {address.shown}; ask for the right to CREATE in its schema.")
    for source in sources if is_there else ():
        is_alike = source.kind == address.kind and (source.table or source.query)
        if is_alike and _identity(source) == _identity(address) and _would_miss(source, address):
            raise InputError(f"The output {address.shown} would overwrite the input; give another name.")


def _identity(address: Address) -> str:
    with _OPEN[address.kind](address.location, writing=False) as database:
        return database.identity()


def _would_miss(source: Address, target: Address) -> bool:
    """Whether the source could not be read as before without the target; the transaction is rolled back by an error."""
    missed = True
    with suppress(_Undone), _OPEN[target.kind](target.location, writing=True) as database:
        before = database.plan(source.sql)
        database.drop(target.table)
        missed = _plan(database, source.sql) != before
        raise _Undone
    return missed


def _plan(database: Database, sql: str) -> str | None:
    try:
        return database.plan(sql)
    except Exception:
        return None


class _Undone(Exception):
    """Rolls back a transaction that was only a test."""


def write_table(
    frame: pl.DataFrame,
    address: Address,
    types: Mapping[str, str],
    *,
    replace: bool = False,
    ready: Callable[[pl.DataFrame], None] = lambda rows: None,
) -> None:
    """Create a table with these rows in one transaction, so completely or not at all.

    Columns keep their types. Columns that were read as text only because no other type holds their digits (``types``)
    get their type back if every cell is a number. ``ready`` is called before the commit with the rows as the database
    returns them.

    Raises:
        InputError: the table exists and must not be replaced, or the database refuses.
    """
    address.needs_table()
    rows = fresh(settle(frame))
    kept = {name: kind for name, kind in types.items() if name in rows.columns and _is_exact(rows[name])}
    with _OPEN[address.kind](address.location, writing=True) as database:
        if database.has(address.table):
            if not replace:
                raise InputError(
                    f"The output table {address.shown} exists already; choose another name, or use --replace."
                )
            database.drop(address.table)
        database.write(address.table, rows, kept)
        ready(settle(database.read(address.sql).frame))


def rows_in(address: Address) -> pl.DataFrame | None:
    """Return the rows of a table; None if there is no such table.

    Raises:
        InputError: the database does not answer.
    """
    if address.file is not None and not address.file.is_file():
        return None
    with _OPEN[address.kind](address.location, writing=False) as database:
        return settle(database.read(address.sql).frame) if database.has(address.table) else None


def _is_there(address: Address) -> bool:
    path = Path(address.location)
    if not path.parent.is_dir():
        raise InputError(
            f"The folder {str(path.parent)!r} of the database {path.name!r} does not exist; make it first."
        )
    return path.is_file()


def _is_exact(column: pl.Series) -> bool:
    return column.dtype == pl.String and bool(column.drop_nulls().str.contains(_NUMBER).all())
