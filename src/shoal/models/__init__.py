"""Privacy models: one model a file.

Shared code: ``parameters`` (how models are written), ``class_sizes``, ``sensitive`` with ``diversity_kinds``,
``match_degrees`` and ``match_goals`` (which rows fit which records), ``population``, ``population_frequencies`` and
``uniqueness``; for people with several rows ``of_people``, ``people_values``, ``people_matches`` and ``of_histories``.
"""

from __future__ import annotations

from shoal.core.contracts import PrivacyModel
from shoal.core.plugins import Family, collect
from shoal.models.alpha_k import AlphaK
from shoal.models.average_risk import AverageRisk
from shoal.models.beta_likeness import BetaLikeness
from shoal.models.delta_disclosure import DeltaDisclosure
from shoal.models.delta_presence import DeltaPresence
from shoal.models.estimated_k_map import EstimatedKMap
from shoal.models.household_risk import HouseholdRisk
from shoal.models.individual_risk import IndividualRisk
from shoal.models.k_anonymity import KAnonymity
from shoal.models.k_combinations import KCombinations
from shoal.models.k_concealment import KConcealment
from shoal.models.k_map import KMap
from shoal.models.k_one import KOne
from shoal.models.kk import KK
from shoal.models.l_diversity import LDiversity
from shoal.models.largest_risk import LargestRisk
from shoal.models.linkage_bound import LinkageBound
from shoal.models.one_k import OneK
from shoal.models.p_sensitivity import PSensitive
from shoal.models.population_uniqueness import PopulationUniqueness
from shoal.models.risk_share import RiskShare
from shoal.models.sample_uniqueness import SampleUniqueness
from shoal.models.t_closeness import TCloseness
from shoal.models.uniform_matching import UniformMatching

ALL: Family[type[PrivacyModel]] = collect(
    "shoal.models",
    (
        KAnonymity,
        LargestRisk,
        AverageRisk,
        RiskShare,
        SampleUniqueness,
        PopulationUniqueness,
        EstimatedKMap,
        IndividualRisk,
        HouseholdRisk,
        KCombinations,
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
    "AverageRisk",
    "BetaLikeness",
    "DeltaDisclosure",
    "DeltaPresence",
    "EstimatedKMap",
    "HouseholdRisk",
    "IndividualRisk",
    "KAnonymity",
    "KCombinations",
    "KConcealment",
    "KMap",
    "KOne",
    "LDiversity",
    "LargestRisk",
    "LinkageBound",
    "OneK",
    "PSensitive",
    "PopulationUniqueness",
    "RiskShare",
    "SampleUniqueness",
    "TCloseness",
    "UniformMatching",
]
