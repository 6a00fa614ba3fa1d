"""Values that look the same but differ: in blanks, or in the encoding of accents."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import Any

import polars as pl

from shoal.core.schema import refuse_unknown
from shoal.io.frames import to_polars

_MOST_SHOWN = 3


def fold(data: Any, columns: Sequence[str]) -> Any:
    """Merge values of these columns that differ only in blanks or in the encoding of accents.

    Blanks around a value are removed, blanks inside become single spaces, letters composed (Unicode NFC). O(values).

    >>> fold(pl.DataFrame({"ill": ["flu", "flu ", "cold"]}), ["ill"])["ill"].to_list()
    ['flu', 'flu', 'cold']

    Raises:
        InputError: there is no such column.
    """
    frame, restore = to_polars(data)
    return restore(fold_frame(frame, columns))


def fold_frame(frame: pl.DataFrame, columns: Sequence[str]) -> pl.DataFrame:
    """The same for a polars frame."""
    refuse_unknown(columns, frame.columns)
    texts = [name for name in dict.fromkeys(columns) if frame.schema[name] == pl.String]
    distinct = {name: frame[name].unique().drop_nulls() for name in texts}
    return frame.with_columns(
        pl.col(name).replace({text: fold_text(text) for text in values}) for name, values in distinct.items()
    )


def fold_text(text: str) -> str:
    """A common spelling for texts that look the same: no blanks around it, one space inside, letters composed."""
    return " ".join(unicodedata.normalize("NFC", text).split())


def notes_on_variants(frame: pl.DataFrame, columns: Sequence[str]) -> list[str]:
    """A sentence for each text column with values that look the same but count as different. O(distinct values)."""
    return [note for name in columns if frame.schema[name] == pl.String and (note := _note(frame[name]))]


def _note(values: pl.Series) -> str:
    groups: dict[str, list[str]] = {}
    for text in values.unique().drop_nulls().sort():
        groups.setdefault(fold_text(text), []).append(text)
    alike = [group for group in groups.values() if len(group) > 1]
    if not alike:
        return ""
    shown = "; ".join(" and ".join(map(ascii, group)) for group in alike[:_MOST_SHOWN])
    return (
        f"The column {values.name!r} has values that differ only in blanks or in how accents are coded ({shown}"
        f"{'; …' if len(alike) > _MOST_SHOWN else ''}); they count as different values. "
        f"anonymize with fold = [{values.name!r}] (--fold) makes them one."
    )
