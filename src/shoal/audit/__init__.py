"""The adversary: one attack a file, imported when used, and the figures of risk that people must report."""

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
        "order": "shoal.audit.order:InsiderOrder",
        "algorithm": "shoal.audit.algorithm:AlgorithmKnowledge",
        "minimality": "shoal.audit.minimality:Minimality",
        "refinement": "shoal.audit.refinement:Refinement",
        "composition": "shoal.audit.composition:Composition",
        "as-is": "shoal.audit.as_is:AsIs",
        "pseudonyms": "shoal.audit.pseudonyms:UndonePseudonyms",
        "aligned-dates": "shoal.audit.shifted_dates:AlignedDates",
        "carrier": "shoal.audit.metadata_leaks:Carrier",
    },
)
"""Every attack by name, in the order in which reports show them."""
