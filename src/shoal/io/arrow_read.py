"""Reading Parquet and Arrow files; a few megabytes may unpack to many gigabytes, so their size is estimated first."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa

from shoal.errors import InputError
from shoal.io.column_rules import check_names

PANDAS_INDEX = re.compile(r"__index_level_\d+__")
"""The name under which pandas saves an unnamed index."""

_WIDTHS = {"BOOLEAN": 1, "INT32": 4, "FLOAT": 4, "INT64": 8, "DOUBLE": 8, "INT96": 12}
_VIEW = 16
"""Bytes per text beside its characters."""

_COPIES = 2
"""Number of copies of the values in memory while reading."""

_SAMPLE = 1000

_MUCH = 1 << 30
"""Bytes from which the size is mentioned in a remark."""


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


def refuse_too_large(path: Path) -> tuple[str, ...]:
    """Return a remark on a Parquet file that needs much memory; refuse one that needs more than is free.

    A file that is not Parquet is left to the reader.

    Raises:
        InputError: says how much is needed, and what to do.
    """
    free = free_memory()
    try:
        needed = unpacked_size(path)
    except (pa.ArrowException, OSError):
        return ()
    gib = 1 << 30
    if free is not None and needed > free:
        raise InputError(
            f"{path.name} would take about {needed / gib:.1f} GiB in memory, of which {free / gib:.1f} GiB are free; "
            "set a memory limit (--memory 4GiB, shoal.anonymize_file), so that its rows are read in pieces."
        )
    return (f"{path.name} takes about {needed / gib:.1f} GiB in memory.",) if needed > _MUCH else ()


def unpacked_size(path: Path) -> int:
    """Estimate the bytes needed to read all rows; text lengths are sampled from the first and the last row group."""
    import pyarrow.parquet as pq

    with pq.ParquetFile(path) as file:
        n_rows, kinds = file.metadata.num_rows, [file.schema.column(i) for i in range(len(file.schema.names))]
        fixed = sum(_WIDTHS.get(kind.physical_type, kind.length or _VIEW) for kind in kinds)
        texts = [kind.path for kind in kinds if kind.physical_type == "BYTE_ARRAY"]
        longest = max(_text_bytes(file, texts), default=0.0) if texts and n_rows else 0.0
    return int(_COPIES * n_rows * (fixed + longest))


def free_memory() -> int | None:
    """Bytes of memory still available; None if the system does not tell."""
    try:
        found = re.search(r"MemAvailable:\s*(\d+) kB", Path("/proc/meminfo").read_text(encoding="ascii"))
    except OSError:
        return None
    return int(found[1]) * 1024 if found else None


def _text_bytes(file: Any, texts: list[str]) -> Iterator[float]:
    """Average bytes of all texts per row, over the first rows of the first and of the last row group."""
    for group in {0, file.num_row_groups - 1}:
        batch = next(file.iter_batches(_SAMPLE, row_groups=[group], columns=texts, use_threads=False), None)
        if batch is not None and batch.num_rows:
            yield batch.nbytes / batch.num_rows
