"""Files that grow by frames of the same columns, so that a table need never be in memory as a whole."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType
from typing import IO, Any, Protocol

import polars as pl
import pyarrow.parquet as pq

from shoal.errors import InputError
from shoal.io.column_rules import settle
from shoal.io.csv_write import write_csv
from shoal.io.stripped_copy import fresh


class Writer(Protocol):
    """A file that grows by frames of the same columns."""

    def add(self, frame: pl.DataFrame) -> None:
        """Append."""

    def __enter__(self) -> Writer: ...
    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, where: TracebackType | None
    ) -> None: ...


class ParquetFile:
    """Parquet without metadata, a row group per frame."""

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
    """Delimited text, as the usual writer writes it."""

    def __init__(self, target: Path | IO[bytes], delimiter: str) -> None:
        self._file: IO[bytes] = target.open("wb") if isinstance(target, Path) else target
        self._is_own = isinstance(target, Path)
        self._delimiter, self._header = delimiter, True

    def add(self, frame: pl.DataFrame) -> None:
        """Append lines."""
        write_csv(frame, self._file, self._delimiter, header=self._header)
        self._header = False

    def __enter__(self) -> TextFile:
        return self

    def __exit__(self, *problem: object) -> None:
        if self._is_own:
            self._file.close()


def check_ending(ending: str) -> None:
    """Raise InputError for a kind of file that cannot grow piece by piece."""
    if ending not in (".parquet", ".csv", ".tsv"):
        raise InputError(f"With a memory limit the release is written as .parquet, .csv or .tsv, not as {ending!r}.")


def writer_of(target: Path | IO[bytes], ending: str) -> Writer:
    """The writer for a file's ending."""
    return ParquetFile(target) if ending == ".parquet" else TextFile(target, "\t" if ending == ".tsv" else ",")
