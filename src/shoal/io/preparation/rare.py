"""Rare categories joined into one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import polars as pl

from shoal.errors import InputError
from shoal.io.preparation.contract import Step

OTHER = "other"
"""What rare categories are published as."""


@dataclass(frozen=True)
class RareCategories(Step):
    """Categories that fewer than ``least`` rows have (people, where ``person`` is said) become ``other``.

    One that is called so already takes the others in. Missing stays missing.
    """

    least: int
    person: str | None = None
    kept: frozenset[str] | None = None

    word: ClassVar[str] = "rare"
    caveat: ClassVar[str] = "A category that stays is no rarer than that in the whole table, but may be inside a class."

    def __post_init__(self) -> None:
        if self.least < 1:
            raise InputError(
                f"rare: for {self.column!r} a whole number of at least 1 has to be said, got {self.least}."
            )

    @property
    def says(self) -> str:
        """What is done."""
        whom = "people" if self.person else "rows"
        return f"Categories that fewer than {self.least:,} {whom} have are published as {OTHER!r}."

    def learn(self, frame: pl.DataFrame) -> RareCategories:
        """Count who has which category. O(rows)."""
        count = pl.len() if self.person is None else pl.col(self.person).n_unique()
        counts = frame.group_by(pl.col(self.column).cast(pl.String).alias("value")).agg(count.alias("count"))
        often = counts.filter((pl.col("count") >= self.least) & pl.col("value").is_not_null())["value"]
        return replace(self, kept=frozenset(often.to_list()))

    def apply(self, frame: pl.DataFrame) -> pl.DataFrame:
        """Exchange the rare ones; columns become text. O(rows)."""
        assert self.kept is not None
        values = frame[self.column].cast(pl.String)
        stays = values.is_null() | values.is_in(list(self.kept))
        return frame.with_columns(
            pl.select(pl.when(stays).then(values).otherwise(pl.lit(OTHER))).to_series().alias(self.column)
        )
