"""The layout of a release as delimited text, and the column types that its readers will infer."""

from __future__ import annotations

import codecs
from collections.abc import Mapping
from dataclasses import dataclass
from io import BytesIO
from itertools import product
from pathlib import Path

import polars as pl

from shoal.errors import InputError
from shoal.io.csv_write import write_csv

DELIMITERS = (",", ";", "\t", "|")
"""The delimiters allowed: texts that contain any of these are quoted, so that the delimiter can be guessed."""

_DAY = r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])"
_TYPES: Mapping[str, pl.DataType] = {
    r"^-?(0|[1-9]\d{0,17})$": pl.Int64(),
    r"^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d{1,3})?$": pl.Float64(),
    r"^(true|false)$": pl.Boolean(),
    f"^{_DAY}$": pl.Date(),
    rf"^{_DAY}[T ]\d{{2}}:\d{{2}}(:\d{{2}}(\.\d+)?)?$": pl.Datetime(),
}
_FIRST = 1000


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


def types_as_read(
    rows: pl.LazyFrame, file: Path | None = None, layout: TextLayout | None = None
) -> dict[str, pl.DataType]:
    """The types of a table written to ``file``. Those of delimited text are inferred: ``02139`` is not a number.

    The texts in the first rows rule out most candidates; the remaining columns are read completely, once. With decimal
    commas, columns of texts stay texts, since decimal points inside them are kept.
    """
    found: dict[str, pl.DataType] = dict(rows.collect_schema())
    is_text = file is not None and file.suffix.lower() in (".csv", ".tsv")
    if not is_text or (layout is not None and layout.decimal == ","):
        return found
    texts = [name for name, dtype in found.items() if dtype == pl.String]
    candidates = [*_kinds(rows.head(_FIRST), texts, may_be_empty=True)]
    return found | _kinds(rows, candidates, may_be_empty=False)


def _kinds(rows: pl.LazyFrame, names: list[str], *, may_be_empty: bool) -> dict[str, pl.DataType]:
    """The narrowest type that fits every text of a column; columns that fit none are left out.

    Every type fits a column without texts; it is left out as well unless it ``may_be_empty``.
    """
    if not names:
        return {}
    pairs = list(product(names, _TYPES.items()))
    asked = [_all_fit(name, pattern, may_be_empty).alias(str(at)) for at, (name, (pattern, _)) in enumerate(pairs)]
    said = rows.select(asked).collect(engine="streaming").row(0)
    found: dict[str, pl.DataType] = {}
    for (name, (_, kind)), fits in zip(pairs, said, strict=True):
        if fits:
            found.setdefault(name, kind)
    return found


def _all_fit(name: str, pattern: str, may_be_empty: bool) -> pl.Expr:
    text = pl.col(name)
    return text.str.contains(pattern).all() & (text.is_not_null().any() | pl.lit(may_be_empty))
