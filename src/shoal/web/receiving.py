"""How tables and files enter a session: uploaded, from a database, as an example, or restored from a project."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any

from shoal.errors import InputError
from shoal.io.example import ROLES, hierarchies
from shoal.web.column_words import STARTING
from shoal.web.export_process import database
from shoal.web.folders import save, wipe
from shoal.web.job_words import JOB, SCRIPT
from shoal.web.names import file_name, safe_stem, table_name
from shoal.web.session import Session
from shoal.web.tables import NO_TABLE
from shoal.web.undo import shelve

EXAMPLE = "people.csv"
EXAMPLE_ROWS = 20_000


async def receive(session: Session, name: str, body: AsyncIterator[bytes]) -> None:
    """Upload a table to replace the open one, which stays if the new one cannot be read.

    Raises:
        InputError: the name is not that of a table, the disk is full, or the file cannot be read as a table.
    """
    name = table_name(name)

    def keep(place: Path) -> Awaitable[None]:
        return save(body, place / name)

    await _receive(session, name, dict(session.reading), keep)


async def receive_from(session: Session, address: str, query: str = "") -> None:
    """Copy a table from a database to replace the open one.

    Raises:
        InputError: the address names no table, or the database refuses.
    """
    name = f"{safe_stem('.'.join(database(address).table) or 'query')}.parquet"

    def keep(place: Path) -> Awaitable[None]:
        return session.desk.ask("fetch", address=address, query=query, target=str(place / name))

    await _receive(session, name, {}, keep)
    session.changed()


async def open_example(session: Session) -> None:
    """Open the built-in example, with suitable roles and hierarchies."""
    shelve(session)
    await session.desk.ask("make_example", name=EXAMPLE, n=EXAMPLE_ROWS)
    _take(session, EXAMPLE, await session.desk.ask("open", name=EXAMPLE, reading={}), {})
    session.table.history.forget({**ROLES, "privacy": {"k": 10, "l": 3}, "hierarchies": hierarchies()})


async def restore(
    session: Session, table: str, inputs: Mapping[str, bytes], words: dict[str, Any], reading: Any
) -> None:
    """Restore a table, its files and settings, replacing everything.

    Raises:
        InputError: the table cannot be read.
    """

    async def keep(place: Path) -> None:
        for name, body in inputs.items():
            (place / file_name(name)).write_bytes(body)

    await _receive(session, table_name(table), reading, keep, with_runs=True)
    session.table.files = {*inputs} - {table}
    session.table.history.forget(words)
    session.table.offered = {*session.table.size["columns"]}


async def _receive(
    session: Session,
    name: str,
    reading: dict[str, Any],
    keep: Callable[[Path], Awaitable[None]],
    *,
    with_runs: bool = False,
) -> None:
    """Have ``keep`` write a table and its other files, and open it in place of the current one."""
    fresh = session.incoming / secrets.token_hex(8)
    fresh.mkdir(mode=0o700)
    try:
        await keep(fresh)
        size = await session.read(f"../incoming/{fresh.name}/{name}", reading)
        shelve(session, with_runs=with_runs)
        for path in [*fresh.iterdir()]:
            path.replace(session.inputs / path.name)
    finally:
        wipe(fresh)
    session.desk.moved(name)
    _take(session, name, size, reading)


def _take(session: Session, name: str, size: dict[str, Any], reading: dict[str, Any]) -> None:
    table = session.table
    table.name, table.size, table.key = name, size, secrets.token_hex(8)
    if reading:
        table.history.settle({**table.words, "reading": reading})


async def receive_file(session: Session, name: str, body: AsyncIterator[bytes]) -> None:
    """Upload a file that belongs to the table: a hierarchy or a population.

    Raises:
        InputError: the name is invalid, or is that of the table, the job file or the script; or the disk is full.
    """
    name = file_name(name)
    if name.casefold() in (JOB, SCRIPT, (session.table.name or "").casefold()):
        raise InputError("The table, the job file or the script has this name; give the file another.")
    await session.put(body, session.inputs / name)
    session.table.files.add(name)


async def receive_other(session: Session, name: str, body: AsyncIterator[bytes]) -> None:
    """Upload a file other than the table: one to check, to attack, or with later rows.

    Raises:
        InputError: the name is not that of a table, or the disk is full.
    """
    await session.put(body, session.others / table_name(name))


async def read_again(session: Session, reading: dict[str, Any]) -> None:
    """Read the table with other import options. Settings are kept if its columns stay the same.

    Raises:
        InputError: no table is open, or it cannot be read this way and stays as it was.
    """
    table = session.table
    if table.name is None:
        raise InputError(NO_TABLE)
    size = await session.read(table.name, reading)
    known = table.words
    if size["columns"] != table.size["columns"]:
        known, table.offered, table.column = STARTING, set(), None
    table.inspection, table.size = None, size
    words = {key: said for key, said in known.items() if key != "reading"}
    session.change({**words, "reading": reading} if reading else words)


async def say(session: Session, words: dict[str, Any]) -> None:
    """Replace the settings of the job; if their import options differ, the table is read again.

    Raises:
        InputError: the settings are invalid.
    """
    reading = {word: value for word, value in session.table.job(words).reading.items() if value}
    if reading != session.table.reading:
        await read_again(session, reading)
    session.change(words)
