"""A table in a file that is read in batches of rows, by the same rules as a whole table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import Any, cast

import polars as pl
import pyarrow as pa

from shoal.errors import InputError
from shoal.io.arrow_read import ParquetRows
from shoal.io.column_rules import is_emptied, settle
from shoal.io.csv_read import BLOCK, LARGEST_BLOCK, DelimitedText, RowTooLong, open_text
from shoal.io.read import PARQUET, TEXT, has_no_rows, is_empty, kind_of, reachable
from shoal.io.written_values import WrittenValues

VALUE, COUNT = "value", "count"
"""Column names of a table of values and their counts; the user's column names never occur in it."""

_BATCH = 100_000


@dataclass(frozen=True, eq=False)
class TableFile:
    """A table of which only a batch of rows is ever in memory. It is in a Parquet file: its own, or a copy."""

    source: Path
    path: Path
    names: list[str]
    n_rows: int
    written: WrittenValues = field(default_factory=WrittenValues)
    notes: tuple[str, ...] = ()
    empty_nested: bool = False

    def batches(self, size: int, columns: Sequence[str] | None = None) -> Iterator[pl.DataFrame]:
        """Yield all rows, about ``size`` at a time, with plain column types."""
        with closing(ParquetRows(self.path, self.source.name)) as rows:
            for batch in rows.batches(size, columns):
                yield self.written.read(settle(batch, empty_nested=self.empty_nested))

    def values(self, name: str) -> pl.DataFrame:
        """The distinct values of a column (``VALUE``), missing included, and how many rows have each (``COUNT``)."""
        found = pl.DataFrame()
        waiting: list[pl.DataFrame] = []
        for batch in self.batches(_BATCH, [name]):
            counts = batch.select(pl.col(name).alias(VALUE)).group_by(VALUE).len(COUNT)
            waiting.append(counts.with_columns(pl.col(COUNT).cast(pl.Int64)))
            if sum(part.height for part in waiting) > max(_BATCH, found.height):
                found, waiting = _added([found, *waiting]), []
        return _added([found, *waiting])

    def sample(self, names: Sequence[str], n_rows: int) -> pl.DataFrame:
        """About ``n_rows`` rows, spread evenly over the table; all rows if there are no more."""
        step = -(-self.n_rows // n_rows)
        return pl.concat(batch.gather_every(step) for batch in self.batches(_BATCH, names))

    def plain_copy(self, target: Path) -> Path:
        """Copy the rows to a Parquet file with plain columns and signed integers, for readers that know fewer types.

        A column that cannot be published becomes an empty column of bytes, so that it can be dropped.

        Raises:
            InputError: an integer is too large for a signed 64-bit integer.
        """
        return self.changed(target, _signed).path

    def changed(self, target: Path, change: Callable[[pl.DataFrame], pl.DataFrame]) -> TableFile:
        """Write the table with rows changed or left out, piece by piece, to a Parquet file at ``target``."""
        import pyarrow.parquet as pq

        pieces = (change(batch).to_arrow(compat_level=pl.CompatLevel.oldest()) for batch in self.batches(_BATCH))
        first = next(pieces)
        with pq.ParquetWriter(target, first.schema) as writer:
            for piece in chain([first], pieces):
                writer.write_table(piece.cast(first.schema))
        n_rows = pq.read_metadata(target).num_rows
        return replace(self, path=target, n_rows=n_rows, written=WrittenValues())


def open_table_file(
    source: str | Path,
    folder: Path,
    *,
    empty_nested: bool = False,
    **reading: Any,
) -> TableFile:
    """Open a table; delimited text is copied to a Parquet file in ``folder``.

    It refuses the same files as ``read_frame``, and gives the same rows.

    Args:
        source: a .parquet, .csv, .tsv or .txt file.
        folder: for copies; it should be private and temporary.
        empty_nested: as for ``settle``.
        reading: how to read a text, as for ``ReadingOptions``, and the notation of values, as for ``WrittenValues``.

    Raises:
        InputError: the file is missing, has another format, is not a table, or has no rows.
    """
    import pyarrow.parquet as pq

    path = Path(source).expanduser()
    written = WrittenValues.taken_from(reading)
    kind = kind_of(path, **reading)
    if kind not in (TEXT, PARQUET):
        raise InputError(
            f"A table that is read in pieces must be .parquet, .csv, .tsv or .txt, not {path.suffix.lower()}."
        )
    with reachable(path), path.open("rb") as file:
        if not file.read(1):
            raise is_empty(path)
    if kind == TEXT:
        reading.pop("sheet", None)
        text = open_text(path, folder / "text", missing_values=written.missing_values, **reading)
        written.check_columns(text.names)
        copy = _as_parquet(text, folder / "rows.parquet", BLOCK)
        return TableFile(path, copy, text.names, pq.read_metadata(copy).num_rows, written, text.notes)
    with closing(ParquetRows(path, path.name)) as rows:
        if not rows.n_rows:
            raise has_no_rows(path)
        none = cast("pl.DataFrame", pl.from_arrow(rows.opened.schema_arrow.empty_table().select(rows.names)))
        settle(none, empty_nested=empty_nested)
        written.check_columns(rows.names)
        return TableFile(path, path, rows.names, rows.n_rows, written, rows.notes, empty_nested)


def _as_parquet(text: DelimitedText, target: Path, block: int) -> Path:
    """Copy the rows of a delimited text to a Parquet file; blocks grow until the longest row fits."""
    import pyarrow.parquet as pq

    try:
        with pq.ParquetWriter(target, pa.schema([(name, pa.string()) for name in text.names])) as writer:
            for batch in text.batches(block):
                writer.write_batch(batch)
    except RowTooLong:
        return _as_parquet(text, target, min(16 * block, LARGEST_BLOCK))
    return target


def _added(counts: Sequence[pl.DataFrame]) -> pl.DataFrame:
    """Add up the counts of several batches."""
    together = pl.concat([part for part in counts if part.width])
    return together.group_by(VALUE).agg(pl.col(COUNT).sum())


def _signed(frame: pl.DataFrame) -> pl.DataFrame:
    wider: dict[Any, Any] = {pl.UInt8: pl.Int16, pl.UInt16: pl.Int32, pl.UInt32: pl.Int64, pl.UInt64: pl.Int64}
    try:
        return frame.with_columns(
            pl.lit(None, pl.Binary).alias(column.name) if is_emptied(column)
            else column.cast(wider.get(type(column.dtype), column.dtype))
            for column in frame.iter_columns()
        )  # fmt: skip
    except pl.exceptions.InvalidOperationError:
        raise InputError("A column holds integers beyond 2^63, which Spark does not know; turn it into text.") from None
