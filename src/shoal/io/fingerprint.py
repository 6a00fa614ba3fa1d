"""Whether a place holds the rows that were to be written there."""

from __future__ import annotations

import hashlib

import polars as pl

from shoal.io.databases import Address, rows_in
from shoal.io.places import Remote, place_of
from shoal.io.stores import rows_at


def fingerprint(frame: pl.DataFrame) -> str:
    """The same for the same rows in whatever order. O(n log n)."""
    texts = frame.select(pl.all().cast(pl.String)).sort(pl.all(), nulls_last=True)
    return hashlib.sha256(texts.write_csv(quote_style="non_numeric").encode()).hexdigest()


def holds_rows(spelled: str, rows: str) -> bool:
    """Whether the table or object of this address has the rows of this fingerprint.

    Raises:
        InputError: the database or the store does not answer.
    """
    place = place_of(spelled)
    found = rows_in(place) if isinstance(place, Address) else rows_at(Remote(spelled))
    return found is not None and fingerprint(found) == rows
