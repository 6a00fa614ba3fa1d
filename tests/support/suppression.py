"""Metrics that score a node the same whichever of its classes are kept."""

from __future__ import annotations

from shoal.core.contracts import Metric
from shoal.metrics import DMStar, Height


def ignores_suppression(metric: Metric) -> bool:
    """Height and DM* by definition; precision and non-uniform entropy if asked to."""
    return isinstance(metric, Height | DMStar) or getattr(metric, "suppressed", "") == "ignored"
