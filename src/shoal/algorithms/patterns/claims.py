"""What the pattern algorithms guarantee, judged by the published stars."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import polars as pl

from shoal.algorithms.patterns.column_levels import AT, names_levels
from shoal.algorithms.patterns.rules import Rules
from shoal.core.claims import LeastLoss, level_labels
from shoal.core.hierarchy import STAR
from shoal.core.release import Claim, ClaimVerdict, Release
from shoal.core.table import QuasiColumn

_Labels = Sequence[frozenset[str | None]]
"""For each level of a column, how its cells may be printed."""


@dataclass(frozen=True)
class AllowedPatterns(Claim):
    """Every record blanks only cells that the rules allow it to blank.

    Judges printed labels and the rules themselves, not the list of patterns that is generated from them.
    """

    rules: Rules

    def check(self, release: Release, printed: pl.DataFrame) -> ClaimVerdict:
        """Judge every distinct printed record."""
        quasi = release.table.quasi
        with_levels = self.rules.levels or names_levels(self.rules.patterns, [column.name for column in quasi])
        labels = [_labels(column, with_levels, printed) for column in quasi]
        shown = printed.select(column.name for column in quasi)
        records = shown.select(pl.all().cast(pl.String)).unique().rows()
        broken = [record for record in records if not self._allows(quasi, labels, record)]
        stars = {frozenset(_blanked(quasi, labels, record)) for record in records}
        return ClaimVerdict(
            "cells suppressed only as the patterns allow",
            not broken,
            f"{len(stars):,} patterns of stars in use" if not broken else f"{len(broken):,} records break the rules",
            {"patterns_in_use": len(stars)},
        )

    def _allows(self, quasi: Sequence[QuasiColumn], labels: Sequence[_Labels], record: Sequence[str | None]) -> bool:
        """Whether a record's cells are values, levels or stars in a combination that the rules allow."""
        if not all(any(text in level for level in known) for text, known in zip(record, labels, strict=True)):
            return False
        blanked = _blanked(quasi, labels, record)
        if len(blanked) == len(quasi) and self.rules.outliers:
            return True
        if self.rules.patterns:
            return any(_fits(vector, quasi, labels, record) for vector in self.rules.patterns)
        rules = self.rules
        return (
            (rules.max_stars is None or len(blanked) <= rules.max_stars)
            and not blanked & set(rules.never)
            and all(not blanked & set(group) or set(group) <= blanked for group in rules.together)
            and all(len(blanked & set(group)) <= 1 for group in rules.at_most_one)
            and (len(blanked) < len(quasi) or rules.outliers)
        )


@dataclass(frozen=True)
class FewestStars(LeastLoss):
    """How close a release is to the fewest stars, weighted by their prices."""

    prices: Mapping[str, float] | None = None
    with_levels: bool = False

    @property
    def unit(self) -> str:
        """The unit of the loss."""
        return "cost of stars"

    def measured(self, release: Release, printed: pl.DataFrame) -> float:
        """What the printed cells cost; a suppressed row costs as much as stars everywhere."""
        quasi, prices, total = release.table.quasi, self.prices or {}, 0.0
        for column in quasi:
            price = prices.get(column.name, column.weight)
            labels = _labels(column, self.with_levels, printed)
            for text, count in printed[column.name].cast(pl.String).alias("label").value_counts().rows():
                total += price * count * _level(labels, text) / (len(labels) - 1)
            total += price * release.n_suppressed
        return total

    def agrees(self, measured: float) -> bool:
        """Whether this is the claimed cost; if labels leave the level open, it may be less."""
        return super().agrees(measured) or (self.with_levels and measured < self.loss)


def _labels(column: QuasiColumn, with_levels: bool, printed: pl.DataFrame) -> _Labels:
    """How the cells of each level may be printed: the value, the star, and levels in between if allowed."""
    n_levels = column.recoding.nested.n_levels if with_levels and column.recoding.closes_to_nodes else 2
    exact = level_labels(column, 0, printed[column.name].dtype).cast(pl.String)
    between = [level_labels(column, level, pl.String()) for level in range(1, n_levels - 1)]
    top = column.recoding.nested.labels[-1][0] if column.recoding.has_labels else STAR
    return [*(frozenset(texts.to_list()) for texts in (exact, *between)), frozenset([top])]


def _level(labels: _Labels, text: str | None) -> int:
    """The lowest level that prints a cell like this."""
    return next(level for level, texts in enumerate(labels) if text in texts)


def _blanked(quasi: Sequence[QuasiColumn], labels: Sequence[_Labels], record: Sequence[str | None]) -> set[str]:
    """The columns that a record stars."""
    return {c.name for c, known, text in zip(quasi, labels, record, strict=True) if text in known[-1]}


def _fits(
    vector: Sequence[str], quasi: Sequence[QuasiColumn], labels: Sequence[_Labels], record: Sequence[str | None]
) -> bool:
    """Whether each cell is on the level that an explicit pattern requires."""
    for place, column, known, text in zip(vector, quasi, labels, record, strict=True):
        level = -1 if place == STAR else 0 if place == column.name else int(place.rpartition(AT)[2])
        if text not in known[level]:
            return False
    return True
