"""Tables to analyze in the same way: the original, and releases in some form of cells."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar

import numpy as np
import polars as pl

from shoal.core.arrays import Floats

MOST_CATEGORIES = 30
"""Maximum number of categories of a column that models distinguish; rarer ones are ignored."""


@dataclass(frozen=True, eq=False)
class Study:
    """The original, the released tables (one, or several draws), and people whom no model has seen (``test``).

    In the original and the test table, ``numbers`` are floats and other columns texts. ``printed`` maps each
    quasi-identifier to its columns in the released tables. ``target`` is a column published unchanged; ``rows`` is the
    original without the people of the test table.
    """

    original: pl.DataFrame
    released: tuple[pl.DataFrame, ...]
    printed: Mapping[str, tuple[str, ...]]
    numbers: tuple[str, ...]
    target: str | None = None
    rows: pl.DataFrame | None = None
    test: pl.DataFrame | None = None
    baselines: dict[str, float] = field(default_factory=dict)
    """The results on the original, by analysis: computed once for all forms."""

    @cached_property
    def has_numbers(self) -> bool:
        """Whether every numeric column is also numeric in the released tables."""
        return bool(self.numbers) and all(
            self.released[0][one].dtype.is_numeric() for name in self.numbers for one in self.ends(name)
        )

    def ends(self, name: str) -> tuple[str, ...]:
        """The printed columns of a quasi-identifier except the one that distinguishes missing values from stars."""
        return tuple(one for one in self.printed[name] if self.released[0][one].dtype != pl.Boolean)

    def number(self, frame: pl.DataFrame, name: str) -> Floats:
        """A numeric column of a released table; for two bounds their midpoint. NaN if there is none."""
        ends = [frame[one].cast(pl.Float64).fill_null(np.nan).to_numpy() for one in self.ends(name)]
        return np.asarray(np.mean(ends, axis=0), np.float64)

    @cached_property
    def codes(self) -> tuple[object, ...]:
        """The classes of the target, in order."""
        assert self.target is not None
        return tuple(self.original[self.target].cast(pl.String).drop_nulls().unique().sort().to_list())

    @property
    def is_regression(self) -> bool:
        """Whether the target is a number rather than a class."""
        assert self.target is not None
        values = self.original[self.target]
        return values.dtype.is_numeric() and values.n_unique() > 20

    def answers(self, frame: pl.DataFrame) -> Floats:
        """The target as numbers: itself, or the position of its class."""
        assert self.target is not None
        if self.is_regression:
            return frame[self.target].cast(pl.Float64).fill_null(0.0).to_numpy()
        places = {text: float(place) for place, text in enumerate(self.codes)}
        texts = frame[self.target].cast(pl.String)
        return texts.replace_strict(
            list(places), list(places.values()), default=0.0, return_dtype=pl.Float64
        ).to_numpy()

    def original_features(self, frame: pl.DataFrame, source: pl.DataFrame, *, is_released: bool) -> Floats:
        """``[row, feature]`` of a table of originals, in the layout of ``source``: originals, or a release."""
        ends = {name: self.ends(name) if is_released else (name,) for name in self.printed}
        return _features([(frame[name], source[one]) for name, printed in ends.items() for one in printed])

    def released_features(self, frame: pl.DataFrame) -> Floats:
        """``[row, feature]`` of a released table."""
        return _features([(frame[one], frame[one]) for name in self.printed for one in self.ends(name)])


def _features(columns: Sequence[tuple[pl.Series, pl.Series]]) -> Floats:
    """``[row, feature]`` of some columns, each in the layout of another: a number, or its commonest categories."""
    parts = [
        values.cast(pl.Float64, strict=False).fill_null(np.nan).to_numpy()[:, None]
        if source.dtype.is_numeric()
        else _one_hot(_texts(values), _categories(source))
        for values, source in columns
    ]
    return np.concatenate(parts, axis=1)


def _texts(values: pl.Series) -> pl.Series:
    if values.dtype.is_float():  # 31.0 is written 31
        whole = (values == values.round(0)).fill_null(value=True).all()
        values = values.cast(pl.Int64) if whole else values
    return values.cast(pl.String)


def _categories(values: pl.Series) -> list[str]:
    counts = values.cast(pl.String).drop_nulls().value_counts(sort=True, name="n")
    return counts[values.name].head(MOST_CATEGORIES).to_list()


def _one_hot(values: pl.Series, categories: list[str]) -> Floats:
    texts = values.to_frame("value")
    return (
        texts.select(
            (pl.col("value") == one).fill_null(value=False).cast(pl.Float64).alias(str(place))
            for place, one in enumerate(categories)
        ).to_numpy()
        if categories
        else np.zeros((len(values), 0))
    )


class Analysis(ABC):
    """A task of analysts, measured by how far the answer from a release is from the original's.

    0 means that nothing was lost. Unlike a ``Utility`` it uses the released table as printed, like an analyst who knows
    nothing about cells.
    """

    name: ClassVar[str]
    summary: ClassVar[str]

    learns: ClassVar[bool] = False
    """Whether it learns from records, so that those of the people it is tested on must be left out."""

    @abstractmethod
    def compare(self, study: Study) -> float | None:
        """How far off the answer is; None if the tables do not allow the question."""
