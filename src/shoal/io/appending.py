"""Appending frames with the same columns to a file, so that a whole table never has to be in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import IO, Any

import polars as pl
import pyarrow.parquet as pq

from shoal.errors import InputError
from shoal.io.column_rules import fresh, settle
from shoal.io.csv_write import write_csv

Append = Callable[[pl.DataFrame], None]
"""Appends the rows of a frame to a file; every frame has the same columns."""


def check_ending(ending: str) -> None:
    """Raise InputError for a file type that cannot be written in pieces."""
    if ending not in (".parquet", ".csv", ".tsv"):
        raise InputError(f"With a memory limit the release is written as .parquet, .csv or .tsv, not as {ending!r}.")


@contextmanager
def appender(target: Path | IO[bytes], ending: str) -> Iterator[Append]:
    """Open a file to append to: Parquet without metadata and with one row group per frame, or text of ``write_csv``."""
    if ending == ".parquet":
        with _row_groups(target) as add:
            yield add
        return
    has_header = False

    def add_lines(frame: pl.DataFrame) -> None:
        nonlocal has_header
        write_csv(frame, file, "\t" if ending == ".tsv" else ",", header=not has_header)
        has_header = True

    with target.open("wb") if isinstance(target, Path) else nullcontext(target) as file:
        yield add_lines


@contextmanager
def _row_groups(target: Path | IO[bytes]) -> Iterator[Append]:
    writer: Any = None

    def add(frame: pl.DataFrame) -> None:
        nonlocal writer
        table = fresh(settle(frame)).to_arrow(compat_level=pl.CompatLevel.oldest()).replace_schema_metadata(None)
        writer = writer or pq.ParquetWriter(target, table.schema, store_schema=False)
        writer.write_table(table)

    try:
        yield add
    finally:
        if writer is not None:
            writer.close()
