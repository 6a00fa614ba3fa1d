"""Finding the layout of delimited text: the delimiter and the quote character."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from shoal.errors import InputError

DELIMITERS = (",", ";", "\t", "|")
"""The delimiters that are tried; if several fit equally well, the first wins."""

SAMPLE = 1 << 17
"""How much of a text is examined: just below the csv module's limit for one field."""


@dataclass(frozen=True)
class Dialect:
    """The delimiter and the quote character (empty if fields are not quoted); quotes inside fields are doubled."""

    delimiter: str
    quote: str = '"'

    def __post_init__(self) -> None:
        _check_sign("delimiter", self.delimiter)
        if self.quote:
            _check_sign("quote", self.quote)
        if self.quote == self.delimiter:
            raise InputError(f"The delimiter and the quote are both {self.quote!r}; give two different characters.")

    def records(self, lines: Iterable[str], *, strict: bool = False) -> Iterator[list[str]]:
        """Yield the records in ``lines``, skipping blank lines."""
        rows = csv.reader(
            lines,
            delimiter=self.delimiter,
            quotechar=self.quote or None,
            quoting=csv.QUOTE_MINIMAL if self.quote else csv.QUOTE_NONE,
            strict=strict,
        )
        return (row for row in rows if row)


def find_dialect(
    text: str, is_whole: bool, delimiter: str | None = None, quote: str | None = None, first: str = ","
) -> Dialect:
    r"""Find the dialect of ``text``, the beginning of a file; a given delimiter or quote is not searched for.

    A delimiter must split the header, split all records alike and leave no quote inside a field that does not begin
    with one; if several fit, the one with the most fields wins. If no delimiter splits the header, the text has one
    column. Apostrophes count as quotes only if every name in the header has them. Unless the text ``is_whole``, its
    last record is cut off and ignored. A delimiter ``\t`` may also be spelled out, an empty quote means none, and
    ``first`` is the delimiter to prefer among equally good ones. O(text).
    """
    signs = (first, *DELIMITERS) if delimiter is None else ("\t" if delimiter == "\\t" else delimiter,)
    marks = ('"',) if quote is None else (quote,)
    candidates = [Dialect(sign, mark) for mark in marks for sign in signs]
    if quote is None:
        candidates = [Dialect(sign, "'") for sign in signs if _wears_apostrophes(text, sign)] + candidates
    splitting = [dialect for dialect in candidates if _splits_header(dialect, text)]
    return max(splitting or candidates, key=lambda dialect: _fit(dialect, text, is_whole))


def _splits_header(dialect: Dialect, text: str) -> bool:
    """Whether the first record has several fields; such a dialect beats any that does not split the header."""
    return len(next(iter(dialect.records(io.StringIO(text, newline=""))), [])) > 1


def _fit(dialect: Dialect, text: str, is_whole: bool) -> tuple[float, ...]:
    """How well a dialect fits; larger is better."""
    widths = [len(record) for record in dialect.records(io.StringIO(text, newline=""))]
    if len(widths) > 1 and not is_whole:
        widths.pop()
    if not widths:
        return (0.0,)
    alike = sum(width == widths[0] for width in widths) / len(widths)
    splits = widths[0] > 1
    clean = _stray_quotes(dialect, text) <= (0 if is_whole else 1)
    return (splits and alike == 1 and clean, splits and alike == 1, splits, alike, clean, widths[0])


def _stray_quotes(dialect: Dialect, text: str) -> int:
    """Count the quotes that remain after removing all fully quoted fields."""
    if not dialect.quote or dialect.quote not in text:
        return 0
    sign, mark = re.escape(dialect.delimiter), re.escape(dialect.quote)
    quoted = rf"(?:(?<=[{sign}\r\n])|^){mark}(?:[^{mark}]|{mark}{mark})*+{mark}(?=[{sign}\r\n]|$)"
    return re.sub(quoted, "", text).count(dialect.quote)


def _wears_apostrophes(text: str, delimiter: str) -> bool:
    """Whether every name in the header is enclosed in apostrophes."""
    header = re.split(r"[\r\n]", text.lstrip("\r\n"), maxsplit=1)[0]
    names = next(Dialect(delimiter, "'").records([header]), [])
    return header == delimiter.join(f"'{name}'" for name in names) and all(names)


def _check_sign(what: str, sign: str) -> None:
    if len(sign) != 1:
        raise InputError(f"The {what} must be one character, got {sign!r}.")
    if not sign.isascii() or sign in "\r\n\0":
        raise InputError(f"The {what} must be a plain ASCII character, got {sign!r}.")
