"""One of several published tables."""

from __future__ import annotations

from dataclasses import dataclass, field

import polars as pl

from shoal.core.release import Release
from shoal.core.schema import Schema
from shoal.engine.datapackage import Described
from shoal.engine.linked.words import TableWords
from shoal.engine.preparing import coarsening_of
from shoal.engine.published_levels import chosen_levels
from shoal.engine.source import Loaded
from shoal.report.as_it_is import AsItIs


@dataclass(frozen=True, eq=False)
class PublishedTable:
    """One of the tables: ``frame`` may be published, ``release`` has the owner of every record and must not be.

    ``as_it_is`` names its columns without a recoding, and counts the records that they make unique in it.
    """

    frame: pl.DataFrame = field(repr=False)
    release: Release = field(repr=False)
    schema: Schema = field(repr=False)
    source: Loaded = field(repr=False)
    words: TableWords = field(repr=False)
    as_it_is: AsItIs

    @property
    def described(self) -> Described:
        """The facts about the columns for the data package."""
        table = self.release.table
        return Described(
            schema=self.schema, quasi=table.quasi, published=table.order, preparation=coarsening_of(self.words),
            levels=chosen_levels(self.release),
        )  # fmt: skip
