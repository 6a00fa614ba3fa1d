"""Best: runs several algorithms and publishes the release that loses least."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from shoal.core.contracts import Algorithm, Goal
from shoal.core.progress import Progress
from shoal.core.randomness import Randomness
from shoal.core.release import Release
from shoal.core.table import Table


@dataclass(frozen=True)
class Best(Algorithm):
    """Runs all ``candidates`` and keeps the release that loses least by the goal's metric.

    Ties go to the first. Takes as long as all of them together. All must serve the promises.
    """

    candidates: tuple[Algorithm, ...]

    name: ClassVar[str] = "best"
    summary: ClassVar[str] = "runs several algorithms and publishes the release that loses least"

    def __post_init__(self) -> None:
        own = {
            "name": "the best of " + " and ".join(candidate.name for candidate in self.candidates),
            "serves": self.candidates[0].serves,
            "asks_about_cells": all(candidate.asks_about_cells for candidate in self.candidates),
            "is_local": all(candidate.is_local for candidate in self.candidates),
        }
        for attribute, value in own.items():
            object.__setattr__(self, attribute, value)

    def refuse(self, table: Table, goal: Goal) -> None:
        """Refuse what any candidate refuses."""
        for candidate in self.candidates:
            candidate.refuse(table, goal)

    def run(self, table: Table, goal: Goal, randomness: Randomness, progress: Progress) -> Release:
        """Run the candidates one after the other."""
        releases = [candidate.run(table, goal, randomness, progress) for candidate in self.candidates]
        return min(releases, key=goal.metric.score)
