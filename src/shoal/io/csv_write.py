r"""Writing a table as delimited text.

UTF-8 without a byte-order mark, one header, lines end in ``\n``. A missing value is an empty field, an empty text is
``""`` (our own reader takes both for missing). Texts that a spreadsheet would run as formulas are made harmless, see
``formula``.

A text is quoted if it contains any common delimiter, a quote or a line break, begins with an apostrophe, or begins or
ends with blanks or control characters. That is more than necessary, but it ensures that programs that guess the
delimiter guess right, and that labels that contain separators survive.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import IO

import polars as pl

from shoal.core.parallel_work import side_by_side
from shoal.io.cell_forms.taken_apart import CodedLabels
from shoal.io.formula import disarmed

_ROWS = 1 << 18
"""Rows written at once: texts with their quotes take as much memory as the table itself."""

TO_QUOTE = r"""[,;\t|"\r\n]|^['\s\p{C}]|[\s\p{C}]$|^$"""


def write_csv(
    frame: pl.DataFrame,
    path: Path | IO[bytes],
    delimiter: str = ",",
    *,
    header: bool = True,
    decimal_comma: bool = False,
) -> None:
    """Write the table, with a header unless ``header`` is false; the same table always gives the same bytes.

    1,000,000 rows of 9 texts take about 0.5 s.
    """
    columns = side_by_side(_as_text, frame.iter_columns(), frame.height)
    names = on_distinct(pl.Series(frame.columns), _cell).to_list()
    with path.open("wb") if isinstance(path, Path) else nullcontext(path) as file:
        for start in range(0, max(1, frame.height), _ROWS):
            rows = pl.DataFrame([column(start) for column in columns])
            if rows.width == 1:
                rows = rows.select(pl.all().cast(pl.String).fill_null('""'))  # a blank line would not be a row
            rows.columns = names
            rows.write_csv(
                file, separator=delimiter, quote_style="never", line_terminator="\n", null_value="",
                include_header=header and not start, decimal_comma=decimal_comma,
            )  # fmt: skip


def on_distinct(column: pl.Series, change: Callable[[pl.Expr], pl.Expr]) -> pl.Series:
    """Change a column of texts; if it has few distinct ones, change each of these once. O(n)."""
    coded = CodedLabels.of(column)
    if 4 * coded.distinct.len() > column.len():
        return _changed(column, change)
    after = _changed(coded.distinct, change)
    return CodedLabels(after, coded.ids).labels if after.ne_missing(coded.distinct).any() else column


def _changed(column: pl.Series, change: Callable[[pl.Expr], pl.Expr]) -> pl.Series:
    return column.to_frame("text").select(change(pl.col("text"))).to_series().alias(column.name)


def _as_text(column: pl.Series) -> Callable[[int], pl.Series]:
    """Return a function that formats rows of a column from a given start; texts are quoted where needed."""
    if isinstance(column.dtype, (pl.Categorical, pl.Enum)):
        column = column.cast(pl.String)
    if column.dtype != pl.String:
        return partial(column.slice, length=_ROWS)
    coded = CodedLabels.of(column)
    if 4 * coded.distinct.len() > column.len():
        return partial(_changed(column, _cell).slice, length=_ROWS)
    after = _changed(coded.distinct, _cell)
    return lambda start: CodedLabels(after, coded.ids[start : start + _ROWS]).labels


def _cell(text: pl.Expr) -> pl.Expr:
    safe = disarmed(text)
    quoted = pl.lit('"') + safe.str.replace_all('"', '""', literal=True) + pl.lit('"')
    return pl.when(~safe.str.contains(TO_QUOTE)).then(safe).otherwise(quoted)
