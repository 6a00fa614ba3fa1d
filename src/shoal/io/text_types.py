"""The column types that a reader of delimited text will infer, as such files have no types."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import polars as pl

from shoal.io.text_layout import TextLayout

_DAY = r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])"
_TYPES: Mapping[str, pl.DataType] = {
    r"^-?(0|[1-9]\d{0,17})$": pl.Int64(),
    r"^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d{1,3})?$": pl.Float64(),
    r"^(true|false)$": pl.Boolean(),
    f"^{_DAY}$": pl.Date(),
    rf"^{_DAY}[T ]\d{{2}}:\d{{2}}(:\d{{2}}(\.\d+)?)?$": pl.Datetime(),
}
_FIRST = 1000


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
    asked = [
        (pl.col(name).str.contains(pattern).all() & (pl.col(name).is_not_null().any() | pl.lit(may_be_empty))).alias(
            f"{place} {number}"
        )
        for place, name in enumerate(names)
        for number, pattern in enumerate(_TYPES)
    ]
    said = rows.select(asked).collect(engine="streaming").row(0)
    kinds = [*_TYPES.values()]
    answers = [said[at : at + len(kinds)] for at in range(0, len(said), len(kinds))]
    fitting = {
        name: [kind for kind, fits in zip(kinds, own, strict=True) if fits]
        for name, own in zip(names, answers, strict=True)
    }
    return {name: own[0] for name, own in fitting.items() if own}
