"""The process that writes a finished release to a database table."""

from __future__ import annotations

from multiprocessing.connection import Connection
from pathlib import Path

import polars as pl

from shoal.errors import BrokenPromise, InputError
from shoal.io.databases import Address, address_of, check_table, write_table
from shoal.web.faults import sending_faults
from shoal.web.run_folder import RunFolder
from shoal.web.run_process import table_file

HOW = "postgresql://host/database#table, sqlite:///file.db#table or duckdb:///file.duckdb#table"


def database(said: str) -> Address:
    """Parse the address of a database table.

    Raises:
        InputError: the text is empty or is not the address of a database.
    """
    found = address_of(said.strip())
    if found is None:
        raise InputError(f"Give the address of a table in a database, as in {HOW}.")
    return found


def write_to_database(line: Connection, folder: str, said: str, replace: bool) -> None:
    """Write the release, read it back, and send its location; a table that reads differently is removed."""
    with sending_faults(line, False):
        frame, address = pl.read_ipc(RunFolder(Path(folder)).shown / table_file("", ".arrow")), database(said)
        check_table(address, (), replace=replace)
        write_table(frame, address, {}, replace=replace, ready=lambda rows: _same(frame, rows))
        line.send((True, address.shown))


def _same(written: pl.DataFrame, read: pl.DataFrame) -> None:
    """Raise if a reader of the database would see other records than those that were checked."""
    texts = [sorted(frame.cast(pl.String).rows(), key=str) for frame in (written, read.select(written.columns))]
    if texts[0] != texts[1]:
        raise BrokenPromise("The database returned other values than those of the release, so nothing was written.")
