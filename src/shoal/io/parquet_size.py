"""Estimating the memory that a Parquet file needs before reading it: a few megabytes may unpack to many gigabytes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from shoal.errors import InputError

_WIDTHS = {"BOOLEAN": 1, "INT32": 4, "FLOAT": 4, "INT64": 8, "DOUBLE": 8, "INT96": 12}
_VIEW = 16
"""Bytes per text beside its characters."""

_COPIES = 2
"""Number of copies of the values in memory while reading."""

_SAMPLE = 1000

_MUCH = 1 << 30
"""Bytes from which the size is mentioned in a remark."""


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


def _text_bytes(file: pq.ParquetFile, texts: list[str]) -> Iterator[float]:
    """Average bytes of all texts per row, over the first rows of the first and of the last row group."""
    for group in {0, file.num_row_groups - 1}:
        batch = next(file.iter_batches(_SAMPLE, row_groups=[group], columns=texts, use_threads=False), None)
        if batch is not None and batch.num_rows:
            yield batch.nbytes / batch.num_rows
