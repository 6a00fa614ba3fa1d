"""AECS: the average size of a class."""

from __future__ import annotations

from typing import ClassVar

from shoal.core.contracts import Metric
from shoal.core.release import Release


class AECS(Metric):
    """Rows per class, the suppressed rows together counting as one class; C_avg of the literature is this over k.

    Reference: LeFevre et al. 2006 (C_avg).
    """

    name: ClassVar[str] = "aecs"
    summary: ClassVar[str] = "average size of a class"

    def score(self, release: Release) -> float:
        """Rows / classes."""
        return release.table.n_rows / max(1, len(release.classes) + (release.n_suppressed > 0))
