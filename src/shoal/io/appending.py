"""Writers that append frames with the same columns, so that a whole table never has to be in memory."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType
from typing import IO, Any, Protocol

import polars as pl
import pyarrow.parquet as pq

from shoal.errors import InputError
from shoal.io.column_rules import fresh, settle
from shoal.io.csv_write import write_csv


class Writer(Protocol):
    """Appends frames with the same columns to a file."""

    def add(self, frame: pl.DataFrame) -> None:
        """Append the rows of a frame."""

    def __enter__(self) -> Writer: ...
    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, where: TracebackType | None
    ) -> None: ...


class ParquetFile:
    """A Parquet file without metadata, with one row group per frame."""

    def __init__(self, target: Path | IO[bytes]) -> None:
        self._target = target
        self._writer: Any = None

    def add(self, frame: pl.DataFrame) -> None:
        """Append a row group."""
        table = fresh(settle(frame)).to_arrow(compat_level=pl.CompatLevel.oldest()).replace_schema_metadata(None)
        if self._writer is None:
            self._writer = pq.ParquetWriter(self._target, table.schema, store_schema=False)
        self._writer.write_table(table)

    def __enter__(self) -> ParquetFile:
        return self

    def __exit__(self, *problem: object) -> None:
        if self._writer is not None:
            self._writer.close()


class TextFile:
    """A delimited text file, formatted as by ``write_csv``."""

    def __init__(self, target: Path | IO[bytes], delimiter: str) -> None:
        self._file: IO[bytes] = target.open("wb") if isinstance(target, Path) else target
        self._is_own = isinstance(target, Path)
        self._delimiter, self._header = delimiter, True

    def add(self, frame: pl.DataFrame) -> None:
        """Append the rows as lines."""
        write_csv(frame, self._file, self._delimiter, header=self._header)
        self._header = False

    def __enter__(self) -> TextFile:
        return self

    def __exit__(self, *problem: object) -> None:
        if self._is_own:
            self._file.close()


def check_ending(ending: str) -> None:
    """Raise InputError for a file type that cannot be written in pieces."""
    if ending not in (".parquet", ".csv", ".tsv"):
        raise InputError(f"With a memory limit the release is written as .parquet, .csv or .tsv, not as {ending!r}.")


def writer_of(target: Path | IO[bytes], ending: str) -> Writer:
    """Return the writer for a file extension."""
    return ParquetFile(target) if ending == ".parquet" else TextFile(target, "\t" if ending == ".tsv" else ",")
