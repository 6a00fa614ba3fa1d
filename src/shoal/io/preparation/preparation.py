"""All preparation of a table before it is anonymized, and the sample of its rows or people."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import polars as pl

from shoal.core.randomness import Randomness
from shoal.core.schema import Schema
from shoal.errors import InputError, did_you_mean
from shoal.io.preparation.bands import Banding, band_order
from shoal.io.preparation.contract import Step, Tally, each_distinct, tally_of
from shoal.io.preparation.key_file import SecretKey

_ALL = 2.0**64


@dataclass(frozen=True)
class Preparation:
    """The preparation steps in order, after sampling rows if ``share`` is below 1.

    ``key`` is used for pseudonyms and shifted dates; ``keep_key`` saves a new one once the release is written.
    """

    steps: tuple[Step, ...] = ()
    share: float = 1.0
    person: str | None = None
    key: SecretKey | None = None

    @property
    def says_something(self) -> bool:
        """Whether there is anything to do."""
        return bool(self.steps) or self.share < 1

    def check(self, schema: Schema, names: Sequence[str]) -> None:
        """Raise InputError if a column does not exist, or has a role that does not allow a step."""
        for step in self.steps:
            if step.column not in names:
                raise InputError(
                    f"{step.word}: the table has no column {step.column!r}.{did_you_mean(step.column, names)}"
                )
            step.check(schema)

    def sampled(self, randomness: Randomness) -> Callable[..., pl.DataFrame]:
        """Return a function that samples the rows, from all of them or piece by piece; see ``_RowSample``."""
        if self.share >= 1:
            return lambda frame, *_: frame
        return _RowSample(self.share, self.person, randomness.child("sample")).take

    def whole(self, frame: pl.DataFrame, randomness: Randomness) -> pl.DataFrame:
        """Prepare a table that is in memory.

        Raises:
            InputError: a value cannot be changed as requested, or no row is left.
        """
        frame = self.sampled(randomness)(frame)
        if self.share < 1 and frame.is_empty():
            raise InputError("The sample has no rows; ask for a larger share.")
        for step in self.steps:
            frame = step.learn(tally_of(frame)).apply(frame)
        return frame

    def in_two(self) -> tuple[Preparation, Preparation]:
        """Split for rows that come in pieces: the steps before the first that must know all rows, and the others.

        After the split, no step changes a column that another one has to know.
        """
        cut = next((place for place, step in enumerate(self.steps) if step.learns), len(self.steps))
        return replace(self, steps=self.steps[:cut]), replace(self, steps=self.steps[cut:], share=1.0)

    def learned(self, tally: Tally) -> Preparation:
        """The preparation with what its steps need to know about all rows."""
        return replace(self, steps=tuple(step.learn(tally) if step.learns else step for step in self.steps))

    def piece(self, frame: pl.DataFrame) -> pl.DataFrame:
        """Prepare some rows of a table that comes in pieces; steps for absent columns are skipped."""
        for step in self.steps:
            if step.column in frame.columns:
                frame = step.apply(frame)
        return frame

    def keep_key(self) -> None:
        """Save the key if it is new."""
        if self.key is not None:
            self.key.save()

    def with_orders(self, schema: Schema, values: Callable[[str], pl.Series]) -> Schema:
        """Add the order of bands for quasi-identifiers that have no order, hierarchy or kind set."""
        known = {*schema.orders, *schema.hierarchies, *schema.kinds}
        banded = [step.column for step in self.steps if isinstance(step, Banding)]
        orders = {
            name: band_order(str(value) for value in values(name).drop_nulls().unique().to_list())
            for name in banded
            if schema.role(name) == "quasi-identifier" and name not in known
        }
        return replace(schema, orders={**schema.orders, **orders}) if orders else schema

    @property
    def told(self) -> dict[str, tuple[str, ...]]:
        """What was done to each column, in sentences that reveal nothing of the original."""
        columns = dict.fromkeys(step.column for step in self.steps)
        return {name: tuple(step.says for step in self.steps if step.column == name) for name in columns}

    @property
    def secrets(self) -> list[str]:
        """The columns that the key protects, and the person column."""
        hidden = [step.column for step in self.steps if step.needs_key]
        return list(dict.fromkeys([*hidden, *([self.person] if self.person and hidden else [])]))

    @property
    def sampling(self) -> str:
        """One sentence on how rows were sampled; empty if they were not."""
        whom = "person, with all rows," if self.person else "row"
        return f"A sample: each {whom} was kept with the chance {self.share:g}." if self.share < 1 else ""

    @property
    def caveats(self) -> tuple[str, ...]:
        """What the steps do not achieve, each stated once."""
        return tuple(dict.fromkeys(step.caveat for step in self.steps if step.caveat))

    def notes(self) -> Iterator[str]:
        """Remarks after a run."""
        if self.sampling:
            yield self.sampling
        for name, said in self.told.items():
            yield f"{name}: {' '.join(said)}"
        yield from self.caveats
        if self.key is not None and self.key.is_new:
            yield f"A new secret key is in {self.key.path}; keep it, apart from the release, and show it to nobody."

    def recorded(self) -> dict[str, Any]:
        """The entry for the run record. It contains the path of the key, never the key."""
        key = {} if self.key is None else {"key_file": str(self.key.path)}
        steps = [{"column": step.column, "word": step.word, "says": step.says} for step in self.steps]
        return {"sample_share": self.share, "steps": steps, **key} if self.says_something else {}


class _RowSample:
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
        chosen = each_distinct(frame[self._person].cast(pl.String), self._is_kept, pl.Boolean)
        return frame.filter(pl.select(pl.coalesce(chosen, keeps)).to_series())

    def _is_kept(self, person: str) -> bool:
        return int.from_bytes(hmac.digest(self._salt, person.encode(), hashlib.sha256)[:8], "big") < self._bound
