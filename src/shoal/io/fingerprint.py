"""Checking whether a table or object holds the rows that were to be written."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from typing import Any

import polars as pl

from shoal.io.databases import Address, rows_in
from shoal.io.location import Remote, location_of
from shoal.io.stores import rows_at

_ROWS: Mapping[type, Callable[[Any], pl.DataFrame | None]] = {Address: rows_in, Remote: rows_at}
"""How to read back rows from locations that belong to a transaction of files: see ``transaction``."""


def fingerprint(frame: pl.DataFrame) -> str:
    """A hash of the rows that does not depend on their order. O(n log n)."""
    texts = frame.select(pl.all().cast(pl.String)).sort(pl.all(), nulls_last=True)
    return hashlib.sha256(texts.write_csv(quote_style="non_numeric").encode()).hexdigest()


def holds_rows(spelled: str, rows: str) -> bool:
    """Whether the table or object at this address has the rows with this fingerprint.

    Raises:
        InputError: the database or the store does not respond.
    """
    place = location_of(spelled)
    found = _ROWS[type(place)](place)
    return found is not None and fingerprint(found) == rows
