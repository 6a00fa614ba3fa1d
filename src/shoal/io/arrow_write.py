"""A table as a Parquet or Arrow file."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from shoal.io.columns import settle
from shoal.io.fresh import fresh


def write_parquet(frame: pl.DataFrame, path: Path) -> None:
    """Write Parquet without any metadata; its statistics are those of the values written. O(cells)."""
    with path.open("wb") as file:
        pq.write_table(_bare(frame), file, store_schema=False)


def write_arrow(frame: pl.DataFrame, path: Path) -> None:
    """Write an Arrow file (Feather, version 2), text as plain text, for old readers as well. O(cells)."""
    table = _bare(frame)
    with path.open("wb") as file, pa.ipc.new_file(file, table.schema) as writer:
        writer.write_table(table)


def _bare(frame: pl.DataFrame) -> pa.Table:
    """The table in plain columns, one piece each, with no metadata and nothing under its missing values."""
    table = fresh(settle(frame)).to_arrow(compat_level=pl.CompatLevel.oldest())
    return table.combine_chunks().replace_schema_metadata(None)
