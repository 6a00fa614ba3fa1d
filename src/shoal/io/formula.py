r"""Cells that a spreadsheet would run as a formula, and how they are made harmless.

The rule: a text is *armed* if, apart from apostrophes in front, it begins with a tab or a line break, or its first
visible character is ``=``, ``+``, ``-`` or ``@`` (or one of their full-width forms) and it is not a plain number.
Every armed text gets one apostrophe in front, so spreadsheets show it and do not run it.

An armed text with apostrophes in front is still armed, and so gets one more: a cell that reads ``'=x`` was ``=x``
and one that reads ``''=x`` was ``'=x``. To undo it, take one apostrophe from every armed text that begins with one.
"""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

ARMED = r"^'*(?:[\t\r\n]|[\s\p{C}]*[=+\-@＝＋－＠])"
PLAIN_NUMBER = r"^'*\s*[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?\s*$"


def disarmed(text: pl.Expr) -> pl.Expr:
    """The texts with an apostrophe in front of each that is armed. O(characters)."""
    is_armed = text.str.contains(ARMED) & ~text.str.contains(PLAIN_NUMBER)
    return pl.when(~is_armed).then(text).otherwise(pl.lit("'") + text)


def with_armed_names(frame: pl.DataFrame, names: Sequence[str]) -> pl.DataFrame:
    """The frame with columns called as in the original where an apostrophe stands in front of their names."""
    lacking = [name for name in names if name not in frame.columns and f"'{name}" in frame.columns]
    return frame.rename({f"'{name}": name for name in lacking})
