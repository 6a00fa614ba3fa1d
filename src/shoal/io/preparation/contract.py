"""A step of preparation: what is done to one column before a table is anonymized."""

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
"""Counts the values of a column (``VALUE``): how many rows have each (``COUNT``), or how many people, by the column
that tells whose row each row is."""


def tally_of(rows: pl.DataFrame | pl.LazyFrame) -> Tally:
    """Counts the values of a table that is here, in memory or in a file."""

    def tally(column: str, person: str | None) -> pl.DataFrame:
        count = pl.len() if person is None else pl.col("person").n_unique()
        wanted = [pl.col(column).alias(VALUE), *([] if person is None else [pl.col(person).alias("person")])]
        return rows.lazy().select(wanted).group_by(VALUE).agg(count.alias(COUNT)).collect(engine="streaming")

    return tally


@dataclass(frozen=True)
class Step(ABC):
    """Something that is done to the values of a column. Every row is changed by itself unless ``learn`` says else."""

    column: str

    word: ClassVar[str]
    """The word of the vocabulary that asks for it."""

    roles: ClassVar[Collection[Role]] = ("quasi-identifier", "sensitive", "other")
    """The roles that the column may have."""

    caveat: ClassVar[str] = ""
    """What it does not do, for reports; empty where its name says enough."""

    needs_key: ClassVar[bool] = False
    """Whether it is done with the secret key."""

    @property
    @abstractmethod
    def says(self) -> str:
        """What is done, in a sentence that says nothing of the original."""

    @abstractmethod
    def apply(self, frame: pl.DataFrame) -> pl.DataFrame:
        """The same rows with the column changed.

        Raises:
            InputError: a value cannot be changed so.
        """

    learns: ClassVar[bool] = False
    """Whether it depends on all rows, so that ``learn`` comes before ``apply``."""

    def learn(self, tally: Tally) -> Step:
        """The step once all rows are known, for one that depends on them."""
        return self

    def check(self, schema: Schema) -> None:
        """Raise InputError where the column has a role that does not go with this."""
        role = schema.role(self.column)
        if role not in self.roles:
            said = {
                "identifier": "an identifier, which is dropped; name it among the others to publish it so prepared",
                "person": "the person column, which is never published unchanged",
            }.get(role, f"a {role}, which is recoded; leave {self.word} out for it")
            raise InputError(f"{self.word}: the column {self.column!r} is {said}.")


def of_no_use(step: Step, values: pl.Series, wanted: str) -> InputError:
    """What is said of a value that a step cannot change."""
    return InputError(f"{step.word}: the column {step.column!r} holds {values[0]!r}, which is no {wanted}.")
