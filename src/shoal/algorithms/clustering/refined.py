"""Refined: improves the groups of another algorithm."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from shoal.algorithms.clustering.refinements import Refinement
from shoal.core.contracts import Algorithm, Goal
from shoal.core.progress import Progress
from shoal.core.randomness import Randomness
from shoal.core.release import Release
from shoal.core.table import Table
from shoal.errors import InputError
from shoal.kernels.compiled import working_time


@dataclass(frozen=True)
class Refined(Algorithm):
    """Runs ``start``, and then the refinements, within ``seconds`` for everything if given.

    If ``rows`` is given, the seconds are for that many rows: a smaller table, such as a block of a larger one, gets its
    share. Keeps every promise that ``start`` keeps and never loses more. Within the goal's suppression limit, the rows
    whose removal lowers the loss most are suppressed, even if no refinement is named. Without ``seconds``, the work is
    bounded by the size of the table, so that with a seed the result is the same everywhere (except after a search by
    time, which then takes ten seconds).
    """

    start: Algorithm
    refinements: tuple[Refinement, ...] = ()
    seconds: float | None = None
    rows: int | None = None

    name: ClassVar[str] = "refined"
    summary: ClassVar[str] = "improves the groups of another algorithm"

    def __post_init__(self) -> None:
        how = " and ".join(refinement.name for refinement in self.refinements)
        object.__setattr__(self, "name", f"{self.start.name}, refined by {how}" if how else self.start.name)
        object.__setattr__(self, "serves", self.start.serves)
        object.__setattr__(self, "asks_about_cells", self.start.asks_about_cells)

    def refuse(self, table: Table, goal: Goal) -> None:
        """Refuse what ``start`` refuses, and a start whose groups cannot be changed freely."""
        self.start.refuse(table, goal)
        if not self.start.is_local:
            raise InputError(
                f"A refinement moves rows between groups, which the algorithm {self.start.name!r} does not allow; "
                "refine mondrian, hilbert, lexicographic, agglomerative, clustering, column-generation, forest, "
                "park-shim, meyerson-williams or factor."
            )

    def run(self, table: Table, goal: Goal, randomness: Randomness, progress: Progress) -> Release:
        """Run ``start``, refine its classes, and give each its smallest permitted cells."""
        from shoal.algorithms.clustering.partition_search import searched  # many modules; a quick run does without

        began = working_time()
        release = self.start.run(table, goal, randomness, progress)
        allowed = self.seconds_for(table.n_rows)
        left = None if allowed is None else max(0.0, allowed - (working_time() - began))
        drawn = randomness.child("refinement")
        better = searched(table, goal, release.classes, drawn, progress, seconds=left, methods=self.refinements)
        return self._better(release, Release.from_groups(table, better), goal)

    def seconds_for(self, n_rows: int) -> float | None:
        """The time limit for a table of ``n_rows`` rows."""
        if self.seconds is None or self.rows is None:
            return self.seconds
        return self.seconds * min(1.0, n_rows / self.rows)

    def _better(self, before: Release, after: Release, goal: Goal) -> Release:
        """The release that loses less, with a sentence about the comparison."""
        was, now = goal.metric.score(before), goal.metric.score(after)
        told = f"{self.name}: {goal.metric.name} {was:.4g} before, {min(was, now):.4g} after."
        return replace(after if now <= was else before, account=(*before.account, told))
