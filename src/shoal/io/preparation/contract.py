"""A step of preparation: a change to one column before a table is anonymized."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import ClassVar

import polars as pl

from shoal.core.schema import Role, Schema
from shoal.errors import InputError
from shoal.io.table_file import COUNT, VALUE

Tally = Callable[[str, str | None], pl.DataFrame]
"""Counts the rows (``COUNT``) with each value (``VALUE``) of a column, or the people if a person column is given."""


def tally_of(rows: pl.DataFrame | pl.LazyFrame) -> Tally:
    """Return a function that counts values in a table in memory or in a file."""

    def tally(column: str, person: str | None) -> pl.DataFrame:
        count = pl.len() if person is None else pl.col("person").n_unique()
        wanted = [pl.col(column).alias(VALUE), *([] if person is None else [pl.col(person).alias("person")])]
        return rows.lazy().select(wanted).group_by(VALUE).agg(count.alias(COUNT)).collect(engine="streaming")

    return tally


@dataclass(frozen=True)
class Step(ABC):
    """A change to the values of a column. Each row is changed independently unless ``learns`` is set."""

    column: str

    word: ClassVar[str]
    """The setting that requests it."""

    roles: ClassVar[Collection[Role]] = ("quasi-identifier", "sensitive", "other")
    """The roles that the column may have."""

    caveat: ClassVar[str] = ""
    """What it does not achieve, for reports; empty if the name is clear enough."""

    needs_key: ClassVar[bool] = False
    """Whether it uses the secret key."""

    sentence: ClassVar[str]
    """A description of the step that reveals no original values, with its settings in braces."""

    @property
    def says(self) -> str:
        """The sentence with the settings of this step."""
        return self.sentence.format_map(vars(self))

    def apply(self, frame: pl.DataFrame) -> pl.DataFrame:
        """Return the same rows with the column changed.

        Raises:
            InputError: a value cannot be changed in this way.
        """
        return frame.with_columns(self.changed(frame).alias(self.column))

    @abstractmethod
    def changed(self, frame: pl.DataFrame) -> pl.Series:
        """Return the changed column, under any name."""

    learns: ClassVar[bool] = False
    """Whether it depends on all rows, so that ``learn`` must precede ``apply``."""

    def learn(self, tally: Tally) -> Step:
        """Return the step with what it needs to know about all rows."""
        return self

    def check(self, schema: Schema) -> None:
        """Raise InputError if the column has a role that does not allow this step."""
        role = schema.role(self.column)
        if role not in self.roles:
            said = {
                "identifier": "an identifier, which is dropped; name it among the others to publish it so prepared",
                "person": "the person column, which is never published unchanged",
            }.get(role, f"a {role}, which is recoded; leave {self.word} out for it")
            raise InputError(f"{self.word}: the column {self.column!r} is {said}.")


def of_no_use(step: Step, values: pl.Series, wanted: str) -> InputError:
    """The error for a value that a step cannot change."""
    return InputError(f"{step.word}: the column {step.column!r} holds {values[0]!r}, which is no {wanted}.")
