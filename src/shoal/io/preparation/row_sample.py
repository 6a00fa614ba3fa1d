"""A random sample of rows, or of people with all their rows."""

from __future__ import annotations

import hashlib
import hmac

import polars as pl

from shoal.core.randomness import Randomness

_ALL = 2.0**64


class RowSample:
    """Each row is kept with the chance ``share``; where ``person`` is a column, each person with all their rows.

    Rows may come in pieces: whether a person is kept is the same in all of them. Pieces that are worked on in any
    order, perhaps more than once, are named (``place``), and a name draws the same every time.
    """

    def __init__(self, share: float, person: str | None, randomness: Randomness) -> None:
        self._bound, self._person, self._randomness = share * _ALL, person, randomness
        self._salt = randomness.words(4).tobytes()

    def take(self, frame: pl.DataFrame, place: str | None = None) -> pl.DataFrame:
        """The rows that are kept; rows of nobody are each drawn by themselves. O(rows)."""
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
