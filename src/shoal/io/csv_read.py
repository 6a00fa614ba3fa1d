"""Reading delimited text into a table of texts, all at once or in batches of rows, by the same rules."""

from __future__ import annotations

import codecs
import csv
import io
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, cast

import polars as pl
import pyarrow as pa
import pyarrow.csv as pacsv

from shoal.errors import InputError
from shoal.io.arrow_read import published_names
from shoal.io.column_rules import check_names, joined_names
from shoal.io.csv_dialect import SAMPLE, Dialect, find_dialect
from shoal.io.csv_encoding import find_encoding, to_utf8, utf8_pieces

BLOCK = 1 << 24
"""Bytes parsed at once; if a row is longer, the whole text is parsed as one block."""

PLAIN_BLOCK = 1 << 20
"""The same for text without quotes: small blocks stay in the processor's cache."""

LARGEST_BLOCK = (1 << 31) - 1


@dataclass(frozen=True)
class DelimitedText:
    """A delimited text as UTF-8, without leading blank lines; ``open`` opens it, in memory or on disk.

    ``header`` is the whole first record, ``names`` the columns of it that are read.
    """

    name: str
    open: Callable[[], BinaryIO]
    dialect: Dialect
    header: list[str]
    names: list[str]
    missing: tuple[str, ...]
    notes: tuple[str, ...]
    header_rows: int = 1

    def read(self) -> pl.DataFrame:
        """Read all rows below the header.

        Raises:
            InputError: a row has a different number of fields than the header, or a quote is never closed.
        """
        with self.open() as file:
            data = file.read()
        is_plain = not self.dialect.quote or self.dialect.quote.encode() not in data
        try:
            table = pacsv.read_csv(
                pa.BufferReader(data), **self._options(PLAIN_BLOCK if is_plain else BLOCK, is_plain=is_plain)
            )
        except pa.ArrowInvalid:
            # A row longer than a block fails like a bad row does; only the second attempt tells them apart.
            with self._explained() as bad:
                block = min(len(data) + 1, LARGEST_BLOCK)
                table = pacsv.read_csv(pa.BufferReader(data), **self._options(block, bad))
        self._refuse_open_quote(table)
        frame = cast("pl.DataFrame", pl.from_arrow(table.select(self.names)))
        del table, data
        pa.default_memory_pool().release_unused()  # what parsing took: 50 MiB for a million rows
        return frame

    def batches(self, block: int) -> Iterator[pa.RecordBatch]:
        """Yield the same rows, one block of this many bytes at a time.

        Raises:
            InputError: as ``read``.
            RowTooLong: a row is longer than a block; start again with a larger one.
        """
        last = None
        with self.open() as file, self._explained() as bad:
            try:
                for batch in pacsv.open_csv(pa.PythonFile(file, mode="r"), **self._options(block, bad)):
                    last = batch if batch.num_rows else last
                    yield batch.select(self.names)
            except pa.ArrowInvalid:
                if bad.row is None and block < LARGEST_BLOCK:
                    raise RowTooLong from None
                raise
        if last is not None:
            self._refuse_open_quote(last)

    def _options(self, block: int, bad: _FirstBadRow | None = None, *, is_plain: bool = False) -> dict[str, Any]:
        """Options for the parser; bad rows have numbers only if blocks are parsed one after the other.

        If the text ``is_plain``, every line is a row, so blocks can be found without parsing them: twice as fast.
        """
        return {
            "read_options": pacsv.ReadOptions(
                use_threads=bad is None,
                block_size=block,
                column_names=self.header,
                skip_rows_after_names=self.header_rows,
            ),
            "parse_options": pacsv.ParseOptions(
                delimiter=self.dialect.delimiter,
                quote_char=self.dialect.quote or False,
                newlines_in_values=not is_plain,
                invalid_row_handler=bad,
            ),
            "convert_options": pacsv.ConvertOptions(
                column_types=dict.fromkeys(self.header, pa.string()),
                strings_can_be_null=True,
                quoted_strings_can_be_null=True,
                null_values=self.missing,
            ),
        }

    @contextmanager
    def _explained(self) -> Iterator[_FirstBadRow]:
        """Turn the parser's error into an InputError about the first bad row."""
        bad = _FirstBadRow()
        try:
            yield bad
        except pa.ArrowInvalid as error:
            reason = str(error).split("\n")[0]
            raise InputError(bad.message(self) or f"{self.name} cannot be read as a table: {reason}.") from None

    def _refuse_open_quote(self, rows: pa.Table | pa.RecordBatch) -> None:
        """Refuse a text that ends inside quotes, which the parser accepts."""
        quote = self.dialect.quote
        if not quote or not rows.num_rows:
            return
        last = rows.column(rows.num_columns - 1)[-1].as_py()
        possible = self.missing if last is None else (last,)
        ends = [
            (before + quote + value.replace(quote, quote * 2)).encode()
            for value in possible
            for before in (self.dialect.delimiter, "\n", "\r")
        ]
        with self.open() as file:
            size = file.seek(0, io.SEEK_END)
            file.seek(max(0, size - max(map(len, ends))))
            end = file.read()
        if end.endswith(tuple(ends)):
            raise InputError(f"The last field of {self.name} opens a quote that is never closed; close or double it.")


class RowTooLong(Exception):
    """A row is longer than a block."""


def read_text(data: bytes, name: str, *, encoding: str | None = None, **said: Any) -> DelimitedText:
    """Read a delimited text, every column as text.

    The first record names the columns. An empty field, quoted or not, is missing, and so is every text in
    ``missing_values``; blanks around a value are part of it; blank lines are skipped. 1,000,000 rows of 9 columns take
    about 0.6 s on two cores.

    Messages call the file ``name``, whose extension tells which delimiter to expect. The encoding is detected if not
    given. ``said`` may have a ``delimiter`` (one character) and a ``quote`` (one, or empty for none), detected if not
    given, ``missing_values`` (texts for a missing value), ``skip_rows`` (lines above the header) and ``header_rows``
    (records that together name the columns).

    Raises:
        InputError: the text is empty, is not a table or does not have that encoding.
    """
    text, notes = to_utf8(data, encoding, name)
    return _look_at(partial(io.BytesIO, text), name, notes, **said)


def open_text(path: Path, copy: Path, *, encoding: str | None = None, **said: Any) -> DelimitedText:
    """The same for a file too large for memory; text that is not plain UTF-8 is converted into the file ``copy``."""
    with path.open("rb") as file:
        found, notes = find_encoding(file, encoding)
        is_plain = found == "utf-8" and not file.read(3).startswith((codecs.BOM_UTF8, b"\r", b"\n"))
        file.seek(0)
        with Path(os.devnull if is_plain else copy).open("wb") as target:
            target.writelines(utf8_pieces(file, found, path.name))
    return _look_at(lambda: (path if is_plain else copy).open("rb"), path.name, notes, **said)


def _look_at(
    opened: Callable[[], BinaryIO],
    name: str,
    notes: tuple[str, ...],
    *,
    delimiter: str | None = None,
    quote: str | None = None,
    missing_values: Sequence[str] = (),
    skip_rows: int = 0,
    header_rows: int = 1,
) -> DelimitedText:
    """Find the dialect and the header of a UTF-8 text."""
    opened = _below(opened, skip_rows) if skip_rows else opened
    with opened() as file:
        start = file.read(SAMPLE + 1)
        if start.isspace() or not start:
            start += next((piece for piece in iter(lambda: file.read(SAMPLE), b"") if not piece.isspace()), b"")
    if not start or start.isspace():
        raise InputError(f"{name} is empty; a table needs a header and at least one row.")
    usual = "\t" if name.lower().endswith(".tsv") else ","
    sample = start[:SAMPLE].decode(errors="ignore")
    dialect = find_dialect(sample, len(start) <= SAMPLE, delimiter, quote, usual)
    if delimiter is None and dialect.delimiter != usual:
        notes += (f"fields are separated by {dialect.delimiter!r}",)
    header = _header(opened, dialect, name, header_rows)
    if delimiter is not None and len(header) == 1:
        notes += _other_delimiter(sample, len(start) <= SAMPLE, quote, dialect)
    names, left_out = published_names(header, name)
    missing = ("", *missing_values)
    return DelimitedText(name, opened, dialect, header, names, missing, (*notes, *left_out), header_rows)


def _other_delimiter(sample: str, is_whole: bool, quote: str | None, given: Dialect) -> tuple[str, ...]:
    """A remark if the given delimiter splits nothing but another would."""
    other = find_dialect(sample, is_whole, None, quote)
    if len(next(other.records(io.StringIO(sample, newline="")))) == 1:
        return ()
    return (
        f"the delimiter {given.delimiter!r} leaves everything in one column; fields seem to be separated by "
        f"{other.delimiter!r}",
    )


def _below(opened: Callable[[], BinaryIO], skip_rows: int) -> Callable[[], BinaryIO]:
    """Skip this many lines at the beginning, not counting blank ones, and any blank lines that follow."""
    with opened() as file:
        left = skip_rows
        start, line = 0, file.readline()
        while line and (left or line.isspace()):
            left -= not line.isspace()
            start, line = file.tell(), file.readline()

    def reopened() -> BinaryIO:
        file = opened()
        file.seek(start)
        return file

    return reopened


def _header(opened: Callable[[], BinaryIO], dialect: Dialect, name: str, n_rows: int) -> list[str]:
    """Return the column names from the first record or records; at least one more record must follow."""
    with opened() as file:
        lines = io.TextIOWrapper(file, "utf-8", newline="")
        try:
            rows = list(islice(dialect.records(lines, strict=True), n_rows))
        except csv.Error as error:
            raise InputError(f"The header of {name} cannot be read ({error}); is a quote in it never closed?") from None
        if len({len(row) for row in rows}) > 1:
            raise InputError(f"The {n_rows} header rows of {name} have different numbers of fields; check header_rows.")
        header = joined_names(rows)
        check_names(header, name)
        if not any(line.strip("\r\n") for line in lines):
            raise InputError(f"{name} has a header but no rows; a table needs at least one row.")
    return header


class _FirstBadRow:
    """Remembers the first row whose number of fields differs from the header's."""

    def __init__(self) -> None:
        self.row: pacsv.InvalidRow | None = None

    def __call__(self, row: pacsv.InvalidRow) -> str:
        self.row = self.row or row
        return "error"

    def message(self, text: DelimitedText) -> str:
        """Describe what is wrong with the row; empty if no row was bad."""
        if self.row is None:
            return ""
        found, wanted = self.row.actual_columns, self.row.expected_columns
        is_open = text.dialect.quote and self.row.text.count(text.dialect.quote) % 2
        advice = "is a quote in it never closed?" if is_open else "quote values that contain the delimiter."
        return (
            f"Row {self.row.number:,} of {text.name} (the header is row 1) has {found:,} field{'s' * (found != 1)} "
            f"where the header has {wanted:,}; {advice}"
        )
