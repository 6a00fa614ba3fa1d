"""New rows beside earlier releases of the same recoding, whose classes they may join."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from shoal.core.hierarchy import STAR, Hierarchy
from shoal.errors import InputError


def stand_ins(earlier: Sequence[pl.DataFrame], rows: pl.DataFrame, words: Mapping[str, Any]) -> pl.DataFrame:
    """A row for each record of earlier releases that is recoded to the same record, in the columns of ``rows``.

    Any value below a label will do: at the level of the recoding all of them become that label. Records with a label
    that no new row can get are left out; they are in no class that new rows could join.

    Raises:
        InputError: an earlier release lacks a column, or has values of another type.
    """
    quasi, sensitive = words["quasi_identifiers"], words["sensitive"]
    found = []
    for frame in earlier:
        if missing := [name for name in (*quasi, *sensitive) if name not in frame.columns]:
            raise InputError(f"An earlier release has no column {missing[0]!r}; give releases of the same recoding.")
        texts = frame.select(pl.col([*quasi, *sensitive]).cast(pl.String))
        for name, level in zip(quasi, words["levels"], strict=True):
            texts = texts.with_columns(_values(texts[name], rows[name], words["hierarchies"].get(name), level))
        known = [pl.col(name).is_not_null() | frame[name].is_null() for name in quasi]
        found.append(texts.filter(*known))
    made = pl.concat(found)
    try:
        return made.select(pl.col(name).cast(rows.schema[name]) for name in made.columns)
    except pl.exceptions.PolarsError:
        raise InputError(
            "An earlier release has values of other types than the new rows; check that it has the same recoding."
        ) from None


def _values(labels: pl.Series, new: pl.Series, tree: Hierarchy | None, level: int) -> pl.Series:
    """A value for each label, null if there is none."""
    if tree is None:
        anything = new.cast(pl.String).drop_nulls()
        first = anything[0] if len(anything) else None
        return labels if level == 0 else labels.replace({STAR: first})
    below: dict[str, str] = {}
    for leaf, label in zip(tree.leaves, tree.labels[level], strict=True):
        below.setdefault(label, leaf)
    return labels.replace_strict(below, default=None, return_dtype=pl.String)
