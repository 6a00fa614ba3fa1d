"""Look at a table before anything is decided about it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from shoal.engine.source import load
from shoal.engine.vocabulary import Reading
from shoal.io.inspect import Inspection, inspect_frame


def inspect(
    data: str | Path | Any,
    *,
    delimiter: str | None = None,
    encoding: str | None = None,
    quote: str | None = None,
    sheet: str | int | None = None,
    missing_values: Sequence[str] = (),
    query: str | None = None,
    **more: Any,
) -> Inspection:
    """What the columns of a path or frame hold, a suggested role for each, and what singles people out.

    Args:
        data: A path, the address of a database table, or a pandas, polars or pyarrow table.
        delimiter: What separates fields; found if not given.
        encoding: Such as utf-8 or cp1252; found if not given.
        quote: What quotes fields, empty for none; found if not given.
        sheet: The sheet of a workbook, by name or number.
        missing_values: Texts that stand for a missing value, besides the empty field.
        query: For a database: a query in place of a table.
        more: No further word is known; the error says which one was meant.

    Raises:
        InputError: the table cannot be read.
    """
    words = Reading.called_with(locals())
    return inspect_frame(load(data, **words.reading).frame)
