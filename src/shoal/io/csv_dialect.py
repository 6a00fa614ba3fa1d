"""How a delimited text is laid out: what separates its fields and what quotes them."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from shoal.errors import InputError

DELIMITERS = (",", ";", "\t", "|")
"""What may be found; where a text allows several, the first of these wins."""

SAMPLE = 1 << 17
"""How much of a text is looked at: just below the csv module's limit for one field."""


@dataclass(frozen=True)
class Dialect:
    """What separates fields and what quotes them (nothing where ``quote`` is empty); quotes inside are doubled."""

    delimiter: str
    quote: str = '"'

    def __post_init__(self) -> None:
        _check_sign("delimiter", self.delimiter)
        if self.quote:
            _check_sign("quote", self.quote)
        if self.quote == self.delimiter:
            raise InputError(f"The delimiter and the quote are both {self.quote!r}; give two different characters.")

    def records(self, lines: Iterable[str], *, strict: bool = False) -> Iterator[list[str]]:
        """The records in ``lines``, blank lines left out."""
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
    r"""The dialect of ``text``, the beginning of a file; what is given is not looked for.

    A delimiter must split the header, split all records alike and leave no quote inside a field that does not
    begin with one; among several the one with the most fields wins. Where no delimiter splits the header, the text
    has one column. Apostrophes are taken for quotes only where every name of the header wears them. O(text).

    Args:
        text: the beginning of the file.
        is_whole: whether that is all of it; else the last record is cut off and does not count.
        delimiter: the delimiter, where it is known; ``\t`` may also be spelled out.
        quote: the quote, where it is known; empty for none.
        first: the delimiter to prefer where several are as good.
    """
    signs = (first, *DELIMITERS) if delimiter is None else ("\t" if delimiter == "\\t" else delimiter,)
    marks = ('"',) if quote is None else (quote,)
    candidates = [Dialect(sign, mark) for mark in marks for sign in signs]
    if quote is None:
        candidates = [Dialect(sign, "'") for sign in signs if _wears_apostrophes(text, sign)] + candidates
    splitting = [dialect for dialect in candidates if _splits_header(dialect, text)]
    return max(splitting or candidates, key=lambda dialect: _fit(dialect, text, is_whole))


def _splits_header(dialect: Dialect, text: str) -> bool:
    """Whether the first record has several fields; such a dialect fits better than any that does not split it."""
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
    """Number of quotes that are left when all fields that are quoted as a whole are taken out."""
    if not dialect.quote or dialect.quote not in text:
        return 0
    sign, mark = re.escape(dialect.delimiter), re.escape(dialect.quote)
    quoted = rf"(?:(?<=[{sign}\r\n])|^){mark}(?:[^{mark}]|{mark}{mark})*+{mark}(?=[{sign}\r\n]|$)"
    return re.sub(quoted, "", text).count(dialect.quote)


def _wears_apostrophes(text: str, delimiter: str) -> bool:
    """Whether every name of the header is between apostrophes."""
    header = re.split(r"[\r\n]", text.lstrip("\r\n"), maxsplit=1)[0]
    names = next(Dialect(delimiter, "'").records([header]), [])
    return header == delimiter.join(f"'{name}'" for name in names) and all(names)


def _check_sign(what: str, sign: str) -> None:
    if len(sign) != 1:
        raise InputError(f"The {what} must be one character, got {sign!r}.")
    if not sign.isascii() or sign in "\r\n\0":
        raise InputError(f"The {what} must be a plain ASCII character, got {sign!r}.")
