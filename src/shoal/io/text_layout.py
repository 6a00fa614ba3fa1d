"""The layout of a release as delimited text, if it differs from the default."""

from __future__ import annotations

import codecs
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

import polars as pl

from shoal.errors import InputError

DELIMITERS = (",", ";", "\t", "|")
"""The delimiters allowed: texts that contain any of these are quoted, so that the delimiter can be guessed."""


@dataclass(frozen=True)
class TextLayout:
    """The delimiter (by default that of the file extension), the decimal mark of numbers, and the encoding.

    Labels of cells are texts and keep their decimal points, ``[1.5..2.5]``.
    """

    delimiter: str | None = None
    decimal: str | None = None
    encoding: str | None = None

    def __post_init__(self) -> None:
        if self.delimiter is not None and self.delimiter not in DELIMITERS:
            raise InputError(f"output_delimiter must be one of , ; | or a tab, got {self.delimiter!r}.")
        if self.decimal not in (None, ".", ","):
            raise InputError(f"output_decimal must be a point or a comma, got {self.decimal!r}.")
        if self.encoding is not None:
            try:
                codecs.lookup(self.encoding)
            except LookupError:
                raise InputError(f"There is no encoding {self.encoding!r}; known are utf-8, cp1252, utf-16.") from None

    @property
    def says_something(self) -> bool:
        """Whether anything differs from the default."""
        return self != TextLayout()

    def check(self, ending: str) -> None:
        """Raise InputError if the file format has no such layout, or fields could not be told apart."""
        if not self.says_something:
            return
        if ending not in (".csv", ".tsv"):
            raise InputError(
                f"output_delimiter, output_decimal and output_encoding are for .csv and .tsv, not for {ending!r}."
            )
        if self.decimal == "," == self.mark(ending):
            raise InputError("A comma cannot be both separator and decimal mark; set output_delimiter = ';' as well.")

    def mark(self, ending: str) -> str:
        """The delimiter."""
        return self.delimiter or ("\t" if ending == ".tsv" else ",")

    def write(self, frame: pl.DataFrame, path: Path, ending: str) -> None:
        """Write the table. O(bytes), all in memory.

        Raises:
            InputError: the encoding lacks a character.
        """
        from shoal.io.csv_write import write_csv

        made = BytesIO()
        write_csv(frame, made, self.mark(ending), decimal_comma=self.decimal == ",")
        try:
            path.write_bytes(made.getvalue().decode("utf-8").encode(self.encoding or "utf-8"))
        except UnicodeEncodeError as problem:
            letter = problem.object[problem.start]
            raise InputError(f"The encoding {self.encoding!r} has no {letter!r}; write utf-8 instead.") from None

    def as_utf8(self, path: Path) -> BytesIO:
        """The written file as UTF-8."""
        return BytesIO(path.read_bytes().decode(self.encoding or "utf-8").removeprefix("\ufeff").encode("utf-8"))
