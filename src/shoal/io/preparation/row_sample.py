"""A random sample of rows, or of people with all their rows."""

from __future__ import annotations

import hashlib
import hmac

import polars as pl

from shoal.core.randomness import Randomness

_ALL = 2.0**64


class RowSample:
    """Keeps each row with probability ``share``; if ``person`` is given, each person with all their rows.

    Rows may come in pieces: a person is kept in all of them or in none. Pieces that may be processed in any order,
    perhaps more than once, have names (``place``), and the same name always draws the same rows.
    """

    def __init__(self, share: float, person: str | None, randomness: Randomness) -> None:
        self._bound, self._person, self._randomness = share * _ALL, person, randomness
        self._salt = randomness.words(4).tobytes()

    def take(self, frame: pl.DataFrame, place: str | None = None) -> pl.DataFrame:
        """Return the rows that are kept; rows without a person are drawn individually. O(rows)."""
        stream = self._randomness if place is None else self._randomness.child(place)
        keeps = pl.Series(stream.words(frame.height) < self._bound)
        if self._person is None:
            return frame.filter(keeps)
        people = frame[self._person].cast(pl.String)
        known = people.drop_nulls().unique()
        drawn = pl.Series([self._is_kept(text) for text in known.to_list()], dtype=pl.Boolean)
        chosen = people.replace_strict(known, drawn, default=None, return_dtype=pl.Boolean)
        return frame.filter(pl.select(pl.coalesce(chosen, keeps)).to_series())

    def _is_kept(self, person: str) -> bool:
        return int.from_bytes(hmac.digest(self._salt, person.encode(), hashlib.sha256)[:8], "big") < self._bound
