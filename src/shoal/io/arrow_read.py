"""Reading Parquet and Arrow files."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import polars as pl
import pyarrow as pa

from shoal.errors import InputError
from shoal.io.column_rules import check_names

PANDAS_INDEX = re.compile(r"__index_level_\d+__")
"""The name under which pandas saves an unnamed index."""


def read_parquet(data: bytes, name: str) -> tuple[pl.DataFrame, tuple[str, ...]]:
    """The table in a Parquet file and remarks. O(bytes).

    Raises:
        InputError: this is not a Parquet file, or its columns are not named properly.
    """
    file = ParquetRows(pa.BufferReader(data), name)
    with file.explained():
        table = file.opened.read().select(file.names)
    return pl.DataFrame(pl.from_arrow(table)), file.notes


class ParquetRows:
    """A Parquet file without the index that pandas saves, which would single out every row; ``names`` are its columns.

    Raises:
        InputError: this is not a Parquet file, or its columns are not named properly.
    """

    def __init__(self, source: Path | pa.BufferReader, name: str) -> None:
        import pyarrow.parquet as pq

        self._name = name
        with self.explained():
            self.opened = pq.ParquetFile(source)
        self.names, self.notes = published_names(self.opened.schema_arrow.names, name)
        self.n_rows: int = self.opened.metadata.num_rows

    def batches(self, size: int, columns: Sequence[str] | None = None) -> Iterator[pl.DataFrame]:
        """Yield all rows in batches of about ``size`` rows."""
        chosen = self.names if columns is None else list(columns)
        with self.explained():
            for batch in self.opened.iter_batches(size, columns=chosen, use_threads=False):
                yield pl.DataFrame(pl.from_arrow(batch)).select(chosen)

    def close(self) -> None:
        """Close the file."""
        self.opened.close()

    @contextmanager
    def explained(self) -> Iterator[None]:
        """Turn Arrow's errors into an InputError that says the file is damaged."""
        try:
            yield
        except (pa.ArrowException, OSError) as error:
            raise _not_a("Parquet", self._name, error) from None


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
    names, notes = published_names(table.column_names, name)
    return pl.DataFrame(pl.from_arrow(table.select(names))), notes


def published_names(names: Sequence[str], where: str) -> tuple[list[str], tuple[str, ...]]:
    """Return the column names without those of pandas' index, and remarks.

    Raises:
        InputError: no column is left, or the columns are not named properly.
    """
    kept = [name for name in names if not PANDAS_INDEX.fullmatch(name)]
    labels = dict.fromkeys(name for name in names if name not in kept)
    check_names(kept, where)
    if not kept:
        raise InputError(f"{where} has no columns; a table needs at least one.")
    return kept, tuple(f"left out the row labels that pandas saved as {name!r}" for name in labels)


def _not_a(kind: str, name: str, error: Exception) -> InputError:
    reason = str(error).split("\n")[0].rstrip(".")
    return InputError(f"{name} is not a whole {kind} file ({reason}); check what it is or create it again.")
