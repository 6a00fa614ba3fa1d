"""Suppression: the share of rows that are not published."""

from __future__ import annotations

from typing import ClassVar

from shoal.core.contracts import Metric
from shoal.core.release import Release


class Suppression(Metric):
    """Suppressed rows / rows."""

    name: ClassVar[str] = "suppression"
    summary: ClassVar[str] = "share of rows that are not published"

    def score(self, release: Release) -> float:
        """Suppressed rows / rows."""
        return release.n_suppressed / max(1, release.table.n_rows)
