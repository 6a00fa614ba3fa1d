"""Checking whether a table or object holds the rows that were to be written."""

from __future__ import annotations

import hashlib

import polars as pl

from shoal.io.databases import Address, rows_in
from shoal.io.location import Remote, location_of
from shoal.io.stores import rows_at


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
    assert isinstance(place, Address | Remote)  # files are renamed instead, see ``transaction``
    found = rows_in(place) if isinstance(place, Address) else rows_at(place)
    return found is not None and fingerprint(found) == rows
