"""Verdicts as a table."""

from __future__ import annotations

from collections.abc import Sequence

from shoal.core.contracts import Verdict
from shoal.report.figures import figure
from shoal.report.grids import Bad, Good, Grid


def verdict_grid(verdicts: Sequence[Verdict]) -> Grid:
    """For each privacy model: the required and achieved values, and whether it holds."""
    heads = ["Promise", "Wanted", "Achieved", "Holds", "Groups", "Failing"]
    rows = [
        [v.title, figure(v.wanted), figure(v.achieved), _holds(v), f"{v.n_groups:,}", f"{v.n_failing:,}"]
        for v in verdicts
    ]
    return Grid("Promises", heads, rows, (1, 2, 4, 5))


def _holds(verdict: Verdict) -> str:
    return Good("yes") if verdict.holds else Bad("NO")
