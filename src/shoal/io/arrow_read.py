"""Parquet and Arrow files to tables."""

from __future__ import annotations

import re
from typing import cast

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from shoal.errors import InputError
from shoal.io.columns import check_names

PANDAS_INDEX = re.compile(r"__index_level_\d+__")
"""The name under which pandas saves row labels that have none."""


def read_parquet(data: bytes, name: str) -> tuple[pl.DataFrame, tuple[str, ...]]:
    """The table in a Parquet file and remarks. O(bytes).

    Raises:
        InputError: this is not a Parquet file, or its columns are not named properly.
    """
    try:
        table = pq.ParquetFile(pa.BufferReader(data)).read()
    except (pa.ArrowException, OSError) as error:
        raise _not_a("Parquet", name, error) from None
    return _to_polars(table, name)


def read_arrow(data: bytes, name: str) -> tuple[pl.DataFrame, tuple[str, ...]]:
    """The table in an Arrow file (also called Feather), or in a saved Arrow stream, and remarks. O(bytes).

    Raises:
        InputError: this is not an Arrow file, or its columns are not named properly.
    """
    start = pa.ipc.open_file if data.startswith(b"ARROW1") else pa.ipc.open_stream
    try:
        table = start(pa.BufferReader(data)).read_all()
        table.validate(full=True)
    except (pa.ArrowException, OSError) as error:
        raise _not_a("Arrow", name, error) from None
    return _to_polars(table, name)


def _to_polars(table: pa.Table, name: str) -> tuple[pl.DataFrame, tuple[str, ...]]:
    """The table without pandas' row labels, which would single out every row."""
    labels = [column for column in table.column_names if PANDAS_INDEX.fullmatch(column)]
    notes = tuple(f"left out the row labels that pandas saved as {column!r}" for column in dict.fromkeys(labels))
    table = table.select([i for i, column in enumerate(table.column_names) if column not in labels])
    check_names(table.column_names, name)
    if not table.num_columns:
        raise InputError(f"{name} has no columns; a table needs at least one.")
    return cast("pl.DataFrame", pl.from_arrow(table)), notes


def _not_a(kind: str, name: str, error: Exception) -> InputError:
    reason = str(error).split("\n")[0].rstrip(".")
    return InputError(f"{name} is not a whole {kind} file ({reason}); check what it is or make it anew.")
