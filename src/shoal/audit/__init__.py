"""Attacks on releases, one per file, imported when used, and the standard risk figures.

Read in this order. ``contract`` (the interface of attacks), ``knowledge`` (what an adversary knows), ``adversary_view``
(what an attack sees), ``scorer`` (counts correct guesses), ``attack_runs``, ``findings``. Who fits which record:
``links``, ``quick_fits`` (in plain numpy), ``matches`` (the links that a complete assignment can use), ``chances``,
``beliefs``, ``class_risks``; for people with several rows ``same_person``. Shared by attacks: ``about_values``,
``finer_cells``, ``number_wording``. Figures: ``figures``, ``sample_risk`` with ``log_linear`` and ``suda``. Then the
attacks, as listed below.
"""

from __future__ import annotations

from shoal.audit.contract import Attack
from shoal.core.plugins import Family, collect

ALL: Family[type[Attack]] = collect(
    "shoal.audit",
    {
        "linking": "shoal.audit.linking:Linking",
        "matching": "shoal.audit.matching:Matching",
        "posterior": "shoal.audit.posterior:Posterior",
        "repeated-people": "shoal.audit.repeated_people:RepeatedPeople",
        "nearest-record": "shoal.audit.nearest_record:NearestRecord",
        "homogeneity": "shoal.audit.homogeneity:Homogeneity",
        "background": "shoal.audit.background:Background",
        "skewness": "shoal.audit.skewness:Skewness",
        "similarity": "shoal.audit.similarity:Similarity",
        "inference": "shoal.audit.inference:Inference",
        "definetti": "shoal.audit.definetti:DeFinetti",
        "corruption": "shoal.audit.corruption:Corruption",
        "order": "shoal.audit.insider_order:InsiderOrder",
        "algorithm": "shoal.audit.algorithm_knowledge:AlgorithmKnowledge",
        "minimality": "shoal.audit.minimality:Minimality",
        "refinement": "shoal.audit.refinement:CellRefinement",
        "composition": "shoal.audit.composition:Composition",
        "as-is": "shoal.audit.as_is:AsIs",
        "pseudonyms": "shoal.audit.pseudonyms:UndonePseudonyms",
        "aligned-dates": "shoal.audit.shifted_dates:AlignedDates",
        "hidden-data": "shoal.audit.metadata_leaks:HiddenData",
    },
)
"""Every attack by name, in the order of reports."""
