"""All that is done to a table before it is anonymized."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import polars as pl

from shoal.core.randomness import Randomness
from shoal.core.schema import Schema
from shoal.errors import InputError, did_you_mean
from shoal.io.preparation.bands import Banding, band_order
from shoal.io.preparation.contract import Step, Tally, tally_of
from shoal.io.preparation.key_file import SecretKey
from shoal.io.preparation.row_sample import RowSample


@dataclass(frozen=True)
class Preparation:
    """Steps in the order in which they are taken, after a sample of rows where ``share`` is below 1.

    ``key`` is what pseudonyms and shifted dates are made with; a new one is kept by ``keep_key`` once there is a
    release.
    """

    steps: tuple[Step, ...] = ()
    share: float = 1.0
    person: str | None = None
    key: SecretKey | None = None

    @property
    def says_something(self) -> bool:
        """Whether anything is done at all."""
        return bool(self.steps) or self.share < 1

    def check(self, schema: Schema, names: Sequence[str]) -> None:
        """Raise InputError where a column is not there, or has a role that a step does not go with."""
        for step in self.steps:
            if step.column not in names:
                raise InputError(
                    f"{step.word}: the table has no column {step.column!r}.{did_you_mean(step.column, names)}"
                )
            step.check(schema)

    def sampled(self, randomness: Randomness) -> Callable[..., pl.DataFrame]:
        """What takes the sample, from all rows or from one piece after the other; see ``RowSample``."""
        if self.share >= 1:
            return lambda frame, *_: frame
        return RowSample(self.share, self.person, randomness.child("sample")).take

    def whole(self, frame: pl.DataFrame, randomness: Randomness) -> pl.DataFrame:
        """A table that is in memory as a whole, prepared.

        Raises:
            InputError: a value cannot be changed as was asked for, or no row is left.
        """
        frame = self.sampled(randomness)(frame)
        if self.share < 1 and frame.is_empty():
            raise InputError("The sample has no rows; ask for a larger share.")
        for step in self.steps:
            frame = step.learn(tally_of(frame)).apply(frame)
        return frame

    def in_two(self) -> tuple[Preparation, Preparation]:
        """For rows that come in pieces: the steps up to the first that has to know all rows, and the others.

        No step after the first such one changes a column that another of them has to know.
        """
        cut = next((place for place, step in enumerate(self.steps) if step.learns), len(self.steps))
        return replace(self, steps=self.steps[:cut]), replace(self, steps=self.steps[cut:], share=1.0)

    def learned(self, tally: Tally) -> Preparation:
        """With what the steps have to know of all rows."""
        return replace(self, steps=tuple(step.learn(tally) if step.learns else step for step in self.steps))

    def piece(self, frame: pl.DataFrame) -> pl.DataFrame:
        """Rows of a table that comes in pieces, prepared; columns that are not there are passed over."""
        for step in self.steps:
            if step.column in frame.columns:
                frame = step.apply(frame)
        return frame

    def keep_key(self) -> None:
        """Write the key where it is new."""
        if self.key is not None:
            self.key.save()

    def with_orders(self, schema: Schema, values: Callable[[str], pl.Series]) -> Schema:
        """The schema with the order of bands for quasi-identifiers about which nothing else was said."""
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
        """Per column what was done to it, in sentences that say nothing of the original."""
        columns = dict.fromkeys(step.column for step in self.steps)
        return {name: tuple(step.says for step in self.steps if step.column == name) for name in columns}

    @property
    def secrets(self) -> list[str]:
        """The columns that the key hides, and the one that says whose row each row is."""
        hidden = [step.column for step in self.steps if step.needs_key]
        return list(dict.fromkeys([*hidden, *([self.person] if self.person and hidden else [])]))

    @property
    def sampling(self) -> str:
        """How rows were sampled, in a sentence; empty where they were not."""
        whom = "person, with all rows," if self.person else "row"
        return f"A sample: each {whom} was kept with the chance {self.share:g}." if self.share < 1 else ""

    @property
    def caveats(self) -> tuple[str, ...]:
        """What the steps do not do, each said once."""
        return tuple(dict.fromkeys(step.caveat for step in self.steps if step.caveat))

    def notes(self) -> Iterator[str]:
        """What is said of it after a run."""
        if self.sampling:
            yield self.sampling
        for name, said in self.told.items():
            yield f"{name}: {' '.join(said)}"
        yield from self.caveats
        if self.key is not None and self.key.is_new:
            yield f"A new secret key is in {self.key.path}; keep it, apart from the release, and show it to nobody."

    def recorded(self) -> dict[str, Any]:
        """The same for the run record. The key is not in it, only where it is kept."""
        key = {} if self.key is None else {"key_file": str(self.key.path)}
        steps = [{"column": step.column, "word": step.word, "says": step.says} for step in self.steps]
        return {"sample_share": self.share, "steps": steps, **key} if self.says_something else {}
