"""Privacy models: one promise a file."""

from __future__ import annotations

from shoal.core.contracts import PrivacyModel
from shoal.core.plugins import collect
from shoal.models.alpha_k import AlphaK
from shoal.models.beta_likeness import BetaLikeness
from shoal.models.delta_disclosure import DeltaDisclosure
from shoal.models.k_anonymity import KAnonymity
from shoal.models.l_diversity import LDiversity
from shoal.models.p_sensitivity import PSensitive
from shoal.models.t_closeness import TCloseness
from shoal.models.uniform_matching import UniformMatching

ALL: dict[str, type[PrivacyModel]] = collect(
    "shoal.models",
    (KAnonymity, LDiversity, TCloseness, AlphaK, PSensitive, BetaLikeness, DeltaDisclosure, UniformMatching),
)
"""Every model by name; the command line, job files and contract tests find them here."""

__all__ = [
    "ALL",
    "AlphaK",
    "BetaLikeness",
    "DeltaDisclosure",
    "KAnonymity",
    "LDiversity",
    "PSensitive",
    "TCloseness",
    "UniformMatching",
]
