"""A table in a file whose rows are read a batch at a time, by the very rules by which a whole table is read."""

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
from shoal.io.read import PARQUET, TEXT, has_no_rows, is_empty, kind_of, reachable, said_rows
from shoal.io.written_values import WrittenValues

VALUE, COUNT = "value", "count"
"""The columns of a table of values and of how many rows have each; the user's own names never stand beside them."""

_BATCH = 100_000


@dataclass(frozen=True, eq=False)
class TableFile:
    """A table of which only a batch of rows is ever in memory. It lies in a Parquet file: its own, or a copy."""

    source: Path
    path: Path
    names: list[str]
    n_rows: int
    written: WrittenValues = field(default_factory=WrittenValues)
    notes: tuple[str, ...] = ()
    empty_nested: bool = False

    def batches(self, size: int, columns: Sequence[str] | None = None) -> Iterator[pl.DataFrame]:
        """All rows, about ``size`` at a time, in plain kinds of columns."""
        with closing(ParquetRows(self.path, self.source.name)) as rows:
            for batch in rows.batches(size, columns):
                yield self.written.read(settle(batch, empty_nested=self.empty_nested))

    def values(self, name: str) -> pl.DataFrame:
        """The distinct values of a column (``VALUE``), missing among them, and how many rows have each (``COUNT``)."""
        found = pl.DataFrame()
        waiting: list[pl.DataFrame] = []
        for batch in self.batches(_BATCH, [name]):
            counts = batch.select(pl.col(name).alias(VALUE)).group_by(VALUE).len(COUNT)
            waiting.append(counts.with_columns(pl.col(COUNT).cast(pl.Int64)))
            if sum(part.height for part in waiting) > max(_BATCH, found.height):
                found, waiting = _added([found, *waiting]), []
        return _added([found, *waiting])

    def sample(self, names: Sequence[str], n_rows: int) -> pl.DataFrame:
        """About so many rows, evenly from everywhere; all of them where there are no more."""
        step = -(-self.n_rows // n_rows)
        return pl.concat(batch.gather_every(step) for batch in self.batches(_BATCH, names))

    def plain_copy(self, target: Path) -> Path:
        """The same rows in a Parquet file of plain columns, for readers that know fewer kinds: all integers signed.

        A column that cannot be published is one of bytes without a value, for those who may drop it.

        Raises:
            InputError: an integer is too large for 64 bits and a sign.
        """
        pieces = (_signed(batch).to_arrow(compat_level=pl.CompatLevel.oldest()) for batch in self.batches(_BATCH))
        _write_pieces(pieces, target)
        return target

    def changed(self, target: Path, change: Callable[[pl.DataFrame], pl.DataFrame]) -> TableFile:
        """The same table with rows changed or left out, a piece at a time, in a Parquet file at ``target``."""
        import pyarrow.parquet as pq

        pieces = (change(batch).to_arrow(compat_level=pl.CompatLevel.oldest()) for batch in self.batches(_BATCH))
        _write_pieces(pieces, target)
        n_rows = pq.read_metadata(target).num_rows
        return replace(self, path=target, n_rows=n_rows, written=WrittenValues())


def open_table_file(
    source: str | Path,
    folder: Path,
    *,
    delimiter: str | None = None,
    encoding: str | None = None,
    quote: str | None = None,
    sheet: str | int | None = None,
    skip_rows: int = 0,
    header_rows: int = 1,
    empty_nested: bool = False,
    **values: Any,
) -> TableFile:
    """Look at a table of rows; delimited text is copied to a Parquet file in ``folder``.

    What is refused, and what the rows are, is the same as where ``read_frame`` reads the file.

    Args:
        source: a .parquet, .csv, .tsv or .txt file.
        folder: where copies go; it should be private, and gone afterwards.
        delimiter: as for ``read_frame``, and so are the others.
        encoding: the encoding of a text.
        quote: what quotes the fields of a text.
        sheet: for workbooks alone, which are not read in pieces.
        skip_rows: rows above the header of a text.
        header_rows: rows that the header of a text takes.
        empty_nested: as for ``settle``.
        values: how values are written, as for ``WrittenValues``.

    Raises:
        InputError: the file is missing, is of another kind or not a table, or has no rows.
    """
    import pyarrow.parquet as pq

    path = Path(source).expanduser()
    rows_said = {"skip_rows": skip_rows, "header_rows": header_rows}
    kind = kind_of(path, delimiter=delimiter, encoding=encoding, quote=quote, sheet=sheet, **said_rows(**rows_said))
    written = WrittenValues.taken_from(values)
    if kind not in (TEXT, PARQUET):
        raise InputError(
            f"A table that is read in pieces must be .parquet, .csv, .tsv or .txt, not {path.suffix.lower()}."
        )
    with reachable(path), path.open("rb") as file:
        if not file.read(1):
            raise is_empty(path)
    if kind == TEXT:
        said = {"delimiter": delimiter, "quote": quote, "missing_values": written.missing_values, **rows_said}
        text = open_text(path, folder / "text", encoding=encoding, **said)
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
    """The rows of a delimited text in a Parquet file; blocks grow until the longest row fits in one."""
    import pyarrow.parquet as pq

    try:
        with pq.ParquetWriter(target, pa.schema([(name, pa.string()) for name in text.names])) as writer:
            for batch in text.batches(block):
                writer.write_batch(batch)
    except RowTooLong:
        return _as_parquet(text, target, min(16 * block, LARGEST_BLOCK))
    return target


def _write_pieces(pieces: Iterator[pa.Table], target: Path) -> None:
    import pyarrow.parquet as pq

    first = next(pieces)
    with pq.ParquetWriter(target, first.schema) as writer:
        for piece in chain([first], pieces):
            writer.write_table(piece.cast(first.schema))


def _added(counts: Sequence[pl.DataFrame]) -> pl.DataFrame:
    """Counts of several batches in one."""
    together = pl.concat([part for part in counts if part.width])
    return together.group_by(VALUE).agg(pl.col(COUNT).sum())


def _signed(frame: pl.DataFrame) -> pl.DataFrame:
    wider: dict[Any, Any] = {pl.UInt8: pl.Int16, pl.UInt16: pl.Int32, pl.UInt32: pl.Int64, pl.UInt64: pl.Int64}
    try:
        return pl.DataFrame(
            [
                pl.Series(c.name, [None] * len(c), pl.Binary)
                if is_emptied(c)
                else c.cast(wider.get(type(c.dtype), c.dtype))
                for c in frame.iter_columns()
            ]
        )
    except pl.exceptions.InvalidOperationError:
        raise InputError("A column holds integers beyond 2^63, which Spark does not know; turn it into text.") from None
