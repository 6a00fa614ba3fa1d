"""Columns that look like person keys: their values repeat, and rows with the same value agree on other columns."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

import numpy as np
import polars as pl

from shoal.core.schema import Schema
from shoal.io.inspect.findings import Finding, PersonKey
from shoal.io.inspect.hints import GENERIC_IDS, IDENTIFIERS, PERSON_NAMES, find, has, normal
from shoal.io.people import known_keys

_MOST_ROWS = 200_000
"""Number of rows examined at most: all rows of a sample of the keys."""

_LEAST_ROWS = 1.05
"""Least average number of rows per key: a name that two people share now and then is not a person key."""

_MOST_SHARE = 0.2
"""Largest average share of the table's rows per key: a sex or a ward is not a person."""

_LEAST_AGREEMENT = 0.15
"""How much more rows with the same key must agree than any two rows, on average over the informative columns."""


def person_keys(frame: pl.DataFrame, among: Iterable[str] | None = None) -> list[PersonKey]:
    """The columns that look like person keys, the likeliest first. O(rows · columns)."""
    names = [name for name in (frame.columns if among is None else among) if _may_be_key(frame[name], frame.height)]
    found = [key for name in names if (key := _looked_at(frame, name)) is not None]
    return sorted(found, key=lambda key: (-key.agreement, -key.n_keys))


def keys_among(frame: pl.DataFrame, columns: Sequence[Finding]) -> tuple[PersonKey, ...]:
    """The columns that an inspection reports as person keys, the likeliest first.

    Only columns suggested as identifiers or named like an id are examined. The frame holds codes instead of values; a
    missing value is −1, which counts as no key.
    """
    names = [column.name for column in columns if _names_somebody(column)]
    return tuple(person_keys(frame.with_columns(pl.col(names).replace(-1, None)), names))


def columns_that_tell(schema: Schema, secrets: Iterable[str], names: Collection[str]) -> tuple[list[str], list[str]]:
    """The columns that may be a person's key though none was named, and all columns that help to decide.

    ``secrets`` are published as pseudonyms only; ``names`` are all columns of the table.
    """
    keys = [name for name in dict.fromkeys([*schema.identifiers, *secrets]) if name in names]
    return keys, [*dict.fromkeys([*keys, *schema.quasi_identifiers, *schema.sensitive])]


def repeated_key(keys: pl.Series) -> PersonKey:
    """Describe a column that is known to be a person key."""
    counts = known_keys(keys).drop_nulls().to_frame("key").group_by("key").len()["len"]
    return PersonKey(keys.name, counts.len(), float(counts.mean() or 0), int(counts.max() or 0), 0.0)  # type: ignore[arg-type]


def _names_somebody(column: Finding) -> bool:
    name = normal(column.name)
    called = has(GENERIC_IDS, name) or find(IDENTIFIERS, name) is not None or has(PERSON_NAMES, name)
    return column.role == "identifier" or called or column.name.lower().endswith(("id", "_key", "_no", "number"))


def _may_be_key(values: pl.Series, n_rows: int) -> bool:
    """Whether there are no fractions; integer ids become floats if some are missing."""
    if values.dtype.is_nested() or n_rows <= 1:
        return False
    return not values.dtype.is_float() or bool((known_keys(values).drop_nulls() % 1 == 0).all())


def _looked_at(frame: pl.DataFrame, name: str) -> PersonKey | None:
    keys = known_keys(frame[name])
    frame = frame.with_columns(keys)
    counts = keys.drop_nulls().to_frame("key").group_by("key").len()["len"]
    n_keys, n_rows = counts.len(), int(counts.sum())
    if n_keys < 2 or n_rows < _LEAST_ROWS * n_keys or n_rows > n_keys * max(2.0, _MOST_SHARE * n_rows):
        return None
    agreement = _agreement(frame, name)
    if agreement is not None and agreement < _LEAST_AGREEMENT:
        return None
    return PersonKey(name, n_keys, n_rows / n_keys, int(np.max(counts.to_numpy())), agreement or 0.0)


def _agreement(frame: pl.DataFrame, name: str) -> float | None:
    """Agreement of adjacent rows with the same key, beyond chance; None if no other column distinguishes most rows."""
    rows = frame.filter(pl.col(name).is_not_null())
    if rows.height > _MOST_ROWS:
        every = -(-rows.height // _MOST_ROWS)
        rows = rows.filter(pl.col(name).hash(0) % every == 0)
    rows = rows.sort(name, maintain_order=True)
    same_key = (rows[name] == rows[name].shift(1)).fill_null(False)
    if not same_key.any():
        return None
    gains = []
    for other in rows.columns:
        values = rows[other]
        if other == name or values.dtype.is_nested():
            continue
        shares = values.value_counts()["count"].to_numpy() / max(1, rows.height)
        by_chance = float((shares**2).sum())
        if by_chance < 0.5:
            agree = values.eq_missing(values.shift(1)).filter(same_key).mean()
            gains.append((float(agree or 0.0) - by_chance) / (1 - by_chance))  # type: ignore[arg-type]
    return float(np.mean(gains)) if gains else None
