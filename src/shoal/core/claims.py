"""Claims: guarantees that algorithms give of their own accord, and how each is checked.

A claim is checked on the printed table, or against the loss of other lattice nodes computed from scratch, never against
what the search that made the release recorded. See ``Claim`` for when this happens.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import isclose

import numpy as np
import polars as pl

from shoal.core.class_suppression import settled
from shoal.core.contracts import Goal, Metric, PrivacyModel, all_accept
from shoal.core.hierarchy import STAR
from shoal.core.node import Node
from shoal.core.number_texts import plain
from shoal.core.release import Claim, ClaimVerdict, Release
from shoal.core.table import QuasiColumn, Table

_MOST_CELLS = 50_000_000
"""A node's neighbours are judged again if they have at most this many cells in total: a second or two of work."""

_HAIR = 1e-6
"""The relative difference allowed between sums of many small numbers."""

_COUNT = "number of records"


@dataclass(frozen=True)
class Promised(Claim):
    """A guarantee that was not requested but holds anyway, such as a bound on the probability of a link."""

    promise: PrivacyModel

    def check(self, release: Release, printed: pl.DataFrame) -> ClaimVerdict:
        """Judge the model as if it had been requested."""
        verdict = self.promise.check(release)
        figures = {"wanted": verdict.wanted, "achieved": verdict.achieved, "failing": verdict.n_failing}
        return ClaimVerdict(verdict.title, verdict.holds, f"achieved {plain(verdict.achieved, 6)}", figures)


@dataclass(frozen=True)
class OneLevelPerColumn(Claim):
    """Every column is published on one level of its hierarchy: each record is a row, generalized to these levels."""

    levels: tuple[int, ...]

    def check(self, release: Release, printed: pl.DataFrame) -> ClaimVerdict:
        """Generalize all rows by the hierarchies; no record may be printed more often than it occurs among them."""
        quasi = release.table.quasi
        names = [column.name for column in quasi]
        labels = [
            level_labels(column, level, printed[column.name].dtype)
            for column, level in zip(quasi, self.levels, strict=True)
        ]
        rows = pl.DataFrame([texts.gather(codes) for texts, codes in zip(labels, release.table.codes, strict=True)])
        counted = [frame.select(names).group_by(names).len(_COUNT) for frame in (printed, rows)]
        both = counted[0].join(counted[1], names, "left", suffix=" of rows", nulls_equal=True)
        is_fine = (both[_COUNT] <= both[f"{_COUNT} of rows"].fill_null(0)).all()
        told = ", ".join(f"{name} {level}" for name, level in zip(names, self.levels, strict=True))
        return ClaimVerdict("one hierarchy level per column", is_fine, f"levels {told}", {"levels": [*self.levels]})


@dataclass(frozen=True)
class OneLevelOrStar(Claim):
    """Every cell is a label of its column's level, or the root of its hierarchy: a star."""

    levels: tuple[int, ...]

    def check(self, release: Release, printed: pl.DataFrame) -> ClaimVerdict:
        """Look for labels that the hierarchies do not have on these levels, and count the stars."""
        n_stars, n_others, told = 0, 0, []
        for column, level in zip(release.table.quasi, self.levels, strict=True):
            shown = printed[column.name]
            is_known = shown.is_in(level_labels(column, level, shown.dtype).implode(), nulls_equal=True)
            stars = level_labels(column, column.recoding.nested.n_levels - 1, pl.String())
            is_star = ~is_known & shown.cast(pl.String).is_in(stars.implode(), nulls_equal=True)
            n_others += int((~is_known & ~is_star).sum())
            n_stars += int(is_star.sum())
            told.append(f"{column.name} {level}")
        figures = {"levels": [*self.levels], "starred_cells": n_stars}
        came_to = f"levels {', '.join(told)}, {n_stars:,} cells starred"
        return ClaimVerdict("one hierarchy level per column, or a star", n_others == 0, came_to, figures)


@dataclass(frozen=True)
class Minimal(Claim):
    """No column could be on a lower level: one of ``n_nodes`` minimal nodes, of all or of those of least height."""

    goal: Goal
    levels: tuple[int, ...]
    n_nodes: int
    of: str = "in all"

    def check(self, release: Release, printed: pl.DataFrame) -> ClaimVerdict:
        """Judge the nodes one step below from scratch: none may meet the goal within the suppression limit."""
        below = list(_neighbours(release.table, self.levels, (-1,)))
        feasible = [node for node in below if _publishable(release.table, self.goal, node) is not None]
        figures = {"levels": [*self.levels], "minimal_nodes": self.n_nodes}
        came_to = f"one of {self.n_nodes:,} {self.of}" if self.n_nodes > 1 else f"the only one {self.of}"
        return ClaimVerdict("minimal levels", not feasible, came_to, figures)


@dataclass(frozen=True)
class LeastLoss(Claim):
    """The release loses ``loss`` by a metric, and no release of its kind loses less than ``bound``.

    It is optimal where the two agree. ``kind`` names the releases it was compared with, ``how`` says how the bound was
    found, and ``stopped`` says what ended the search before it was sure, such as "after 60 s".
    """

    metric: Metric
    loss: float
    bound: float
    kind: str
    how: str = ""
    stopped: str = ""

    @property
    def is_proven(self) -> bool:
        """Whether no release of its kind loses less."""
        return self.loss - self.bound <= _HAIR * max(abs(self.loss), abs(self.bound))

    @property
    def unit(self) -> str:
        """The metric in which the loss is measured."""
        return self.metric.name.upper()

    def check(self, release: Release, printed: pl.DataFrame) -> ClaimVerdict:
        """Measure the loss again; it must equal the claimed loss, and the bound must not exceed it."""
        measured = self.measured(release, printed)
        holds = self.agrees(measured) and self.bound <= self.loss * (1 + _HAIR) + 1e-9 and self.is_unbeaten(release)
        return ClaimVerdict(f"how near the best {self.kind}", holds, self._told(measured), self._figures(measured))

    def measured(self, release: Release, printed: pl.DataFrame) -> float:
        """The loss, computed independently of the search."""
        return self.metric.score(release)

    def agrees(self, measured: float) -> bool:
        """Whether this equals the claimed loss."""
        return isclose(measured, self.loss, rel_tol=_HAIR, abs_tol=1e-9)

    def is_unbeaten(self, release: Release) -> bool:
        """Whether nothing tried here loses less than the bound; only releases on lattice nodes try anything."""
        return True

    def _told(self, measured: float) -> str:
        how = f": {self.how}" if self.how else ""
        if self.is_proven:
            return f"{self.unit} {plain(measured, 4)} is proven least{how}"
        ended = f", stopped {self.stopped}" if self.stopped else ""
        return f"{self.unit} {plain(measured, 4)}, at most {plain(self.loss - self.bound)} above the least{ended}{how}"

    def _figures(self, measured: float) -> dict[str, float | bool | str]:
        gap = 0.0 if self.is_proven else self.loss - self.bound
        found = {"loss": measured, "bound": float(self.bound), "gap": float(gap)}
        return {"metric": self.unit.lower(), **found, "proven": self.is_proven, "stopped": self.stopped}


@dataclass(frozen=True)
class BestLevels(LeastLoss):
    """The same claim for a choice of one level per column."""

    goal: Goal | None = None
    levels: tuple[int, ...] = ()

    def check(self, release: Release, printed: pl.DataFrame) -> ClaimVerdict:
        """The same; the verdict also names columns starred because their hierarchy has no level in between."""
        found = super().check(release, printed)
        bare = [
            column.name
            for column, level in zip(release.table.quasi, self.levels, strict=True)
            if level and column.recoding.nested.n_levels == 2 < column.domain.n_leaves
        ]
        if not bare:
            return found
        return replace(
            found, came_to=f"{found.came_to}; {', '.join(bare)} starred for want of a hierarchy with levels in between"
        )

    def measured(self, release: Release, printed: pl.DataFrame) -> float:
        """The loss of the node with the published classes, grouped from scratch."""
        node = Node.of(release.table, self.levels)
        published = np.zeros(node.sizes.size, bool)
        published[node.row_classes[release.owners]] = True
        return self.metric.node_score(replace(node, kept=published, n_suppressed=release.n_suppressed))

    def is_unbeaten(self, release: Release) -> bool:
        """Whether no node one step away is feasible and loses less than the bound."""
        assert self.goal is not None
        for levels in _neighbours(release.table, self.levels, (-1, 1)):
            node = _publishable(release.table, self.goal, levels)
            if node is not None and self.metric.node_score(node) < self.bound * (1 - _HAIR) - 1e-9:
                return False
        return True


def level_labels(column: QuasiColumn, level: int, dtype: pl.DataType) -> pl.Series:
    """How each leaf of a column must be printed on a level; as values if the column kept its own type."""
    domain, recoding, nested = column.domain, column.recoding, column.recoding.nested
    is_top = level == nested.n_levels - 1
    if dtype != pl.String and not level:
        return domain.values.alias(column.name)
    if recoding.has_labels:
        texts: list[str | None] = [*nested.labels[level]]
    elif is_top:
        texts = [STAR] * domain.n_leaves
    else:
        cells = recoding.close(nested.low[level], nested.high[level])
        texts = [recoding.label(cells, int(cell)) for cell in cells.ids]
    if domain.missing is not None and not is_top and nested.low[level, domain.missing] == domain.missing:
        texts[domain.missing] = None
    return pl.Series(column.name, texts, dtype=pl.String)


def _neighbours(table: Table, levels: Sequence[int], steps: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """The nodes one step away; none if judging them all is too much work."""
    if 2 * table.codes.size * table.n_quasi > _MOST_CELLS:
        return
    for j, column in enumerate(table.quasi):
        for step in steps:
            if 0 <= levels[j] + step < column.recoding.nested.n_levels:
                yield (*levels[:j], levels[j] + step, *levels[j + 1 :])


def _publishable(table: Table, goal: Goal, levels: Sequence[int]) -> Node | None:
    """The node with all failing classes suppressed; None if these have too many rows or a model judges cells."""
    if any(model.judges_cells for model in goal.class_models):
        return None
    node = settled(Node.of(table, levels, lambda groups: all_accept(goal.class_models, table, groups)), goal)
    allowed = min(goal.most_suppressed(table.n_rows), table.n_rows - 1)
    return node if node.n_suppressed <= allowed else None
