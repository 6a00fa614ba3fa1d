"""Measures of what a release lost: one a file, smaller is better."""

from __future__ import annotations

from shoal.core.contracts import Metric
from shoal.core.plugins import collect
from shoal.metrics.aecs import AECS
from shoal.metrics.dm import DM
from shoal.metrics.gcp import GCP
from shoal.metrics.lm import LM
from shoal.metrics.suppression import Suppression

ALL: dict[str, type[Metric]] = collect("shoal.metrics", (LM, GCP, DM, AECS, Suppression))
"""Every metric by name."""
