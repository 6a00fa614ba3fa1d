"""Widest: how many rows the largest class has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from shoal.core.contracts import Metric
from shoal.core.release import Release


@dataclass(frozen=True)
class Widest(Metric):
    """The rows of the largest class over all rows. O(classes)."""

    name: ClassVar[str] = "widest"
    summary: ClassVar[str] = "share of rows in the largest class"

    def score(self, release: Release) -> float:
        """Rows of the largest class / rows; suppressed rows are a class."""
        largest = max([release.n_suppressed, *release.classes.sizes.tolist()])
        return largest / max(1, release.table.n_rows)
