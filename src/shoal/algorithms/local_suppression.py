"""LocalSuppression: one hierarchy level per column, then suppression of single cells."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
import polars as pl

from shoal.core.cells import Cells
from shoal.core.claims import OneLevelOrStar
from shoal.core.contracts import Algorithm, Goal, GroupModel, inner_algorithm
from shoal.core.domain import Domain
from shoal.core.parameters import whole_number
from shoal.core.progress import Progress
from shoal.core.randomness import Randomness
from shoal.core.recoding import Suppress
from shoal.core.release import Release
from shoal.core.table import QuasiColumn, Table
from shoal.errors import InputError

Levels = tuple[int, ...]


@dataclass(frozen=True)
class LocalSuppression(Algorithm):
    """Every column on one level of its hierarchy, and single cells starred if that is not enough.

    This is attribute generalization with cell suppression, AG_CS in the taxonomy of Ciriani et al. (figure 2), known to
    statistical offices as global recoding with local suppression. The ``inner`` algorithm groups the generalized rows,
    with cells that are the generalized value or a star. ``levels``, such as (1, 0, 2) or "1+0+2", fixes the levels; by
    default they are raised from 0, one column at a time, as long as the loss by the goal's metric falls. This heuristic
    finds good levels, not necessarily the best.

    Cost: that of the inner algorithm, times the columns, times the levels raised.

    Reference: Ciriani et al. 2007, k-Anonymity (section 2.2, figure 2).

    >>> import polars as pl
    >>> import shoal
    >>> table = pl.DataFrame({"zip": ["02139", "02138", "02142", "02141"], "age": [23, 25, 61, 67]})
    >>> words = {"quasi_identifiers": ["zip", "age"], "hierarchies": {"zip": "mask"}, "privacy": shoal.KAnonymity(2)}
    >>> release = shoal.anonymize(table, algorithm=shoal.LocalSuppression(), **words)
    >>> sorted(set(release.to_frame().rows()))
    [('0213*', '*'), ('0214*', '*')]
    """

    inner: str | Mapping[str, Any] | Algorithm = "mondrian:relaxed"
    levels: str | Sequence[int] | None = None

    name: ClassVar[str] = "local-suppression"
    summary: ClassVar[str] = "one hierarchy level per column, then single cells starred (AG_CS)"
    serves = (GroupModel,)

    def __post_init__(self) -> None:
        if self.levels is not None:
            said = self.levels.split("+") if isinstance(self.levels, str) else self.levels
            object.__setattr__(self, "levels", tuple(whole_number("levels", level, least=0) for level in said))

    def refuse(self, table: Table, goal: Goal) -> None:
        """Refuse levels that the hierarchies do not have."""
        super().refuse(table, goal)
        if self.levels is None:
            return
        most = [column.recoding.nested.n_levels - 1 for column in table.quasi]
        wanted: Levels = tuple(self.levels)  # type: ignore[arg-type]
        if len(wanted) != len(most) or any(level > top for level, top in zip(wanted, most, strict=True)):
            told = ", ".join(f"{column.name} 0 to {top}" for column, top in zip(table.quasi, most, strict=True))
            raise InputError(f"levels must be one for each quasi-identifier ({told}), got {self.levels}.")

    def run(self, table: Table, goal: Goal, randomness: Randomness, progress: Progress) -> Release:
        """Group at the given levels, or raise levels while that loses less."""
        self.refuse(table, goal)
        algorithm = inner_algorithm(self.inner)

        def at(levels: Levels) -> tuple[float, Release]:
            progress.stage(f"starring at levels {levels}")
            inner = algorithm.run(_generalized(table, levels), goal, randomness, progress)
            cells = tuple(map(_cells, table.quasi, levels, inner.cells))
            release = Release(table, inner.owners, inner.shapes, cells)
            return goal.metric.score(release), release

        levels: Levels = tuple(self.levels or (0,) * table.n_quasi)  # type: ignore[arg-type]
        score, release = at(levels)
        while self.levels is None:
            tried = [(*at(there), there) for there in _raised(table, levels)]
            if not tried or min(tried, key=lambda one: one[0])[0] >= score:
                break
            score, release, levels = min(tried, key=lambda one: one[0])
        return replace(release, claims=(OneLevelOrStar(levels),))


def _raised(table: Table, levels: Levels) -> Iterator[Levels]:
    """The levels with one column a level higher, for each column."""
    for j, column in enumerate(table.quasi):
        if levels[j] + 1 < column.recoding.nested.n_levels:
            yield (*levels[:j], levels[j] + 1, *levels[j + 1 :])


def _generalized(table: Table, levels: Levels) -> Table:
    """The table whose values are the nodes of these levels, each to be published or starred. O(rows · columns)."""
    columns, codes = [], []
    for column, own, level in zip(table.quasi, table.codes, levels, strict=True):
        lows, places = np.unique(column.recoding.nested.low[level], return_inverse=True)
        names = tuple(str(low) for low in lows)
        counts = np.bincount(places, column.domain.counts, lows.size).astype(np.int64)
        domain = Domain(column.name, "nominal", names, pl.Series(names), np.arange(lows.size, dtype=float), counts)
        columns.append(QuasiColumn(domain, Suppress(domain), column.weight))
        codes.append(places[own])
    return replace(table, quasi=tuple(columns), codes=np.array(codes, np.int32), population=None)


def _cells(column: QuasiColumn, level: int, made: Cells) -> Cells:
    """Convert cells of the generalized table into those of the table itself: values become nodes, stars remain."""
    nested, top = column.recoding.nested, column.recoding.nested.n_levels - 1
    lows = np.unique(nested.low[level])
    is_star = made.low != made.high
    leaves = np.where(is_star, 0, lows[made.low])
    at = np.where(is_star, top, level).astype(np.int32)
    low, high = nested.low[at, leaves], nested.high[at, leaves]
    if column.recoding.closes_to_nodes:
        return Cells.of_intervals(low, high, at).take(made.ids)
    return column.recoding.close(low, high).take(made.ids)
