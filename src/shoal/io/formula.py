r"""Cells that a spreadsheet would run as a formula, and how to make them harmless.

The rule: a text is *armed* if, ignoring leading apostrophes, it begins with a tab or a line break, or its first visible
character is ``=``, ``+``, ``-`` or ``@`` (or one of their full-width forms) and it is not a plain number. Every armed
text is prefixed with one apostrophe, so spreadsheets show it and do not run it.

An armed text with leading apostrophes is still armed, and so gets one more: a cell that reads ``'=x`` was ``=x`` and
one that reads ``''=x`` was ``'=x``. To undo this, remove one apostrophe from every armed text that begins with one.
"""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

ARMED = r"^'*(?:[\t\r\n]|[\s\p{C}]*[=+\-@＝＋－＠])"
PLAIN_NUMBER = r"^'*\s*[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?\s*$"


def disarmed(text: pl.Expr) -> pl.Expr:
    """Prefix each armed text with an apostrophe. O(characters)."""
    is_armed = text.str.contains(ARMED) & ~text.str.contains(PLAIN_NUMBER)
    return pl.when(~is_armed).then(text).otherwise(pl.lit("'") + text)


def rearmed(text: pl.Expr) -> pl.Expr:
    """Remove the apostrophe that ``disarmed`` put in front. O(characters)."""
    is_disarmed = text.str.starts_with("'") & text.str.contains(ARMED) & ~text.str.contains(PLAIN_NUMBER)
    return pl.when(is_disarmed).then(text.str.slice(1)).otherwise(text)


def with_armed_names(frame: pl.DataFrame, names: Sequence[str]) -> pl.DataFrame:
    """Rename columns back to their original names where an apostrophe was put in front."""
    lacking = [name for name in names if name not in frame.columns and f"'{name}" in frame.columns]
    return frame.rename({f"'{name}": name for name in lacking})
