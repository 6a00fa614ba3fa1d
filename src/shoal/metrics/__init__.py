"""Information-loss metrics: one metric a file, each imported on first use; smaller is better.

Shared code: ``cell_measures`` (how many values and rows a cell covers, its level, and how many classes levels allow)
and ``suppression_weight``, which weighs generalization against suppression.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shoal.core.contracts import Metric
from shoal.core.plugins import Family, collect, imported_when_used

if TYPE_CHECKING:
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

_PLACES = {
    "lm": "shoal.metrics.lm:LM",
    "lm_geometric": "shoal.metrics.lm_geometric:LMGeometric",
    "lm_rank": "shoal.metrics.lm_rank:LMRank",
    "gcp": "shoal.metrics.gcp:GCP",
    "precision": "shoal.metrics.precision:Precision",
    "height": "shoal.metrics.height:Height",
    "entropy": "shoal.metrics.entropy:Entropy",
    "nonuniform_entropy": "shoal.metrics.nonuniform_entropy:NonUniformEntropy",
    "dm": "shoal.metrics.dm:DM",
    "dm_star": "shoal.metrics.dm_star:DMStar",
    "aecs": "shoal.metrics.aecs:AECS",
    "ambiguity": "shoal.metrics.ambiguity:Ambiguity",
    "kl_divergence": "shoal.metrics.kl_divergence:KLDivergence",
    "classification": "shoal.metrics.classification:Classification",
    "squared_error": "shoal.metrics.squared_error:SquaredError",
    "suppression": "shoal.metrics.suppression:Suppression",
    "usefulness": "shoal.metrics.usefulness:Usefulness",
}

ALL: Family[type[Metric]] = collect("shoal.metrics", _PLACES)
"""Every metric by name."""

HEADLINE = ("lm", "gcp", "dm", "aecs", "suppression")
"""The metrics that every report shows."""

__getattr__ = imported_when_used(__name__, _PLACES.values())

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
