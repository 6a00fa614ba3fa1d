"""Measures of what a release lost: one a file, smaller is better."""

from __future__ import annotations

from shoal.core.contracts import Metric
from shoal.core.plugins import collect
from shoal.metrics.aecs import AECS
from shoal.metrics.ambiguity import Ambiguity
from shoal.metrics.classification import Classification
from shoal.metrics.dm import DM
from shoal.metrics.dm_star import DMStar
from shoal.metrics.entropy import Entropy
from shoal.metrics.gcp import GCP
from shoal.metrics.height import Height
from shoal.metrics.kl_divergence import KLDivergence
from shoal.metrics.lm import LM
from shoal.metrics.lm_geometric import LMGeometric
from shoal.metrics.lm_rank import LMRank
from shoal.metrics.nonuniform_entropy import NonUniformEntropy
from shoal.metrics.precision import Precision
from shoal.metrics.squared_error import SquaredError
from shoal.metrics.suppression import Suppression
from shoal.metrics.usefulness import Usefulness

_CELLS = (LM, LMGeometric, LMRank, GCP, Precision, Height, Entropy, NonUniformEntropy)
_CLASSES = (DM, DMStar, AECS, Ambiguity, KLDivergence, Classification, SquaredError, Suppression, Usefulness)

ALL: dict[str, type[Metric]] = collect("shoal.metrics", (*_CELLS, *_CLASSES))
"""Every metric by name."""

HEADLINE = ("lm", "gcp", "dm", "aecs", "suppression")
"""Those that every report shows."""

__all__ = [
    "AECS",
    "ALL",
    "DM",
    "GCP",
    "LM",
    "Ambiguity",
    "Classification",
    "DMStar",
    "Entropy",
    "Height",
    "KLDivergence",
    "LMGeometric",
    "LMRank",
    "NonUniformEntropy",
    "Precision",
    "SquaredError",
    "Suppression",
    "Usefulness",
]
