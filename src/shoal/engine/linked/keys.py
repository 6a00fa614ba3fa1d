"""Translates keys of tables into references between rows, and these into fresh keys."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import polars as pl

from shoal.core.arrays import Codes
from shoal.engine.linked.words import TableWords
from shoal.errors import InputError


def _check_key(name: str, frame: pl.DataFrame, key: str) -> None:
    """Refuse a key with missing or repeated values."""
    if missing := frame[key].null_count():
        raise InputError(
            f"{missing:,} rows of {name!r} have no {key!r}, so no other table can refer to them; fill it in."
        )
    if twice := frame.height - frame[key].n_unique():
        raise InputError(f"The key {key!r} of {name!r} is not unique: {twice:,} rows repeat that of another row.")


def rows_above(name: str, said: Mapping[str, TableWords], frames: Mapping[str, pl.DataFrame]) -> Codes:
    """The row that each row of a table refers to; raises InputError if its key does not tell rows apart, or links fail.

    Empty if its rows are people.
    """
    words, frame = said[name], frames[name]
    if words.key is not None:
        _check_key(name, frame, words.key)
    if words.link is None:
        return np.empty(0, np.int32)
    column, other = words.link
    key = said[other].key
    assert key is not None
    known = frames[other].select(pl.col(key).cast(pl.String).alias("key")).with_row_index("above")
    wanted = frame.select(pl.col(column).cast(pl.String).alias("key"))
    found = wanted.join(known, on="key", how="left", maintain_order="left")["above"]
    if orphans := found.null_count():
        raise InputError(
            f"{orphans:,} of {frame.height:,} rows of {name!r} have a {column!r} that no row of {other!r} has; correct "
            "or remove them."
        )
    return found.to_numpy().astype(np.int32)


def key_columns(
    name: str, words: TableWords, fresh: Mapping[str, pl.Series], owners: Codes, above: Codes
) -> Sequence[pl.Series]:
    """The fresh keys of the published rows of a table: its own, and those of the rows they refer to (``above``)."""
    made = {}
    if words.key is not None:
        made[words.key] = fresh[name].gather(owners.astype(np.uint32)).alias(words.key)
    if words.link is not None:
        made[words.link[0]] = fresh[words.link[1]].gather(above[owners].astype(np.uint32)).alias(words.link[0])
    return list(made.values())
