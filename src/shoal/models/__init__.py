"""Privacy models: one promise a file."""

from __future__ import annotations

from shoal.core.contracts import PrivacyModel
from shoal.core.plugins import collect
from shoal.models.alpha_k import AlphaK
from shoal.models.beta_likeness import BetaLikeness
from shoal.models.delta_disclosure import DeltaDisclosure
from shoal.models.delta_presence import DeltaPresence
from shoal.models.k_anonymity import KAnonymity
from shoal.models.k_concealment import KConcealment
from shoal.models.k_map import KMap
from shoal.models.k_one import KOne
from shoal.models.kk import KK
from shoal.models.l_diversity import LDiversity
from shoal.models.linkage_bound import LinkageBound
from shoal.models.one_k import OneK
from shoal.models.p_sensitivity import PSensitive
from shoal.models.t_closeness import TCloseness
from shoal.models.uniform_matching import UniformMatching

ALL: dict[str, type[PrivacyModel]] = collect(
    "shoal.models",
    (
        KAnonymity,
        LDiversity,
        TCloseness,
        AlphaK,
        PSensitive,
        BetaLikeness,
        DeltaDisclosure,
        KMap,
        DeltaPresence,
        UniformMatching,
        OneK,
        KOne,
        KK,
        KConcealment,
        LinkageBound,
    ),
)
"""Every model by name; the command line, job files and contract tests find them here."""

__all__ = [
    "ALL",
    "KK",
    "AlphaK",
    "BetaLikeness",
    "DeltaDisclosure",
    "DeltaPresence",
    "KAnonymity",
    "KConcealment",
    "KMap",
    "KOne",
    "LDiversity",
    "LinkageBound",
    "OneK",
    "PSensitive",
    "TCloseness",
    "UniformMatching",
]
