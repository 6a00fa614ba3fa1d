"""Analysts' tasks on a released table in any form of its cells, compared with the original.

Read in this order: ``study`` (the tables, and the interface of analyses), ``descriptive``, ``regression``, ``models``.
"""

from __future__ import annotations

from shoal.core.plugins import Family, collect
from shoal.utility.analyses.descriptive import Counts, LinearCorrelations, Quantiles, Sums
from shoal.utility.analyses.models import GradientBoosting, RandomForest
from shoal.utility.analyses.regression import Coefficients, IntervalOverlap
from shoal.utility.analyses.study import Analysis, Study

ALL: Family[type[Analysis]] = collect(
    "shoal.analyses",
    (Counts, Sums, Quantiles, LinearCorrelations, Coefficients, IntervalOverlap, GradientBoosting, RandomForest),
)
"""Every analysis by name."""

__all__ = ["ALL", "Analysis", "Study"]
