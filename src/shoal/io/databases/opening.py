"""Read a table or query, and write a table, whatever kind of database it is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager

import polars as pl

from shoal.errors import InputError
from shoal.io.columns import check_names, settle
from shoal.io.databases.address import Address
from shoal.io.databases.contract import Database, Table
from shoal.io.databases.duck import open_duck
from shoal.io.databases.postgres import open_postgres
from shoal.io.databases.sqlite import open_sqlite
from shoal.io.fresh import fresh

_OPEN: Mapping[str, Callable[..., AbstractContextManager[Database]]] = {
    "postgresql": open_postgres,
    "sqlite": open_sqlite,
    "duckdb": open_duck,
}
_NUMBER = r"^-?\d+(\.\d+)?$"


def read_table(address: Address, query: str | None = None) -> Table:
    """Read the table that the address names, or what a query gives. The right to SELECT suffices.

    Raises:
        InputError: it cannot be read, has no rows or no columns, or a column cannot be published.
    """
    if query is not None and address.table:
        raise InputError(f"Both a query and the table {'.'.join(address.table)!r} are named; name one of them.")
    if query is None:
        address.needs_table()
    with _OPEN[address.kind](address.location, writing=False) as database:
        sql = query.strip().rstrip(";") if query else f"SELECT * FROM {address.quoted}"  # noqa: S608 (quoted)
        found = database.read(sql)
    check_names(found.frame.columns, address.shown)
    if not found.frame.height:
        raise InputError(f"{address.shown} has columns but no rows; a table needs at least one row.")
    return Table(settle(found.frame), found.types)


def check_table(address: Address, source: Address | None, *, replace: bool) -> None:
    """Raise InputError where the table cannot be written; to be called before the work begins."""
    address.needs_table()
    if source is not None and (source.kind, source.location, source.table) == (
        address.kind, address.location, address.table,
    ):  # fmt: skip
        raise InputError(f"The output {address.shown} would overwrite the input; give another name.")
    if address.kind != "postgresql" and not _is_there(address):
        return
    with _OPEN[address.kind](address.location, writing=False) as database:
        if not replace and database.has(address.table):
            raise InputError(f"The output table {address.shown} exists already; choose another name, or say --replace.")
        if not database.may_create(address.table):
            raise InputError(f"You may not create {address.shown}; ask for the right to CREATE in its schema.")


def write_table(frame: pl.DataFrame, address: Address, types: Mapping[str, str], *, replace: bool = False) -> None:
    """Make a table of these rows, as a whole or not at all: one transaction.

    Columns keep their types; those that were read as text only because no other kind holds their digits (``types``)
    get their type back where every cell is a number.

    Raises:
        InputError: it exists already and is not to be replaced, or the database refuses.
    """
    address.needs_table()
    rows = fresh(settle(frame))
    kept = {name: kind for name, kind in types.items() if name in rows.columns and _is_exact(rows[name])}
    with _OPEN[address.kind](address.location, writing=True) as database:
        if not replace and database.has(address.table):
            raise InputError(f"The output table {address.shown} exists already; choose another name, or say --replace.")
        database.write(address.table, rows, kept, replace)


def _is_there(address: Address) -> bool:
    from pathlib import Path

    path = Path(address.location)
    if not path.parent.is_dir():
        raise InputError(
            f"The folder {str(path.parent)!r} of the database {path.name!r} does not exist; make it first."
        )
    return path.is_file()


def _is_exact(column: pl.Series) -> bool:
    return column.dtype == pl.String and bool(column.drop_nulls().str.contains(_NUMBER).all())
