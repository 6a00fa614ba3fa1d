"""The adversary: one attack a file, and the figures of risk that people must report."""

from __future__ import annotations

from shoal.audit.algorithm import AlgorithmKnowledge
from shoal.audit.as_is import AsIs
from shoal.audit.background import Background
from shoal.audit.composition import Composition
from shoal.audit.contract import Attack
from shoal.audit.corruption import Corruption
from shoal.audit.definetti import DeFinetti
from shoal.audit.homogeneity import Homogeneity
from shoal.audit.inference import Inference
from shoal.audit.linking import Linking
from shoal.audit.matching import Matching
from shoal.audit.metadata_leaks import Carrier
from shoal.audit.minimality import Minimality
from shoal.audit.nearest_record import NearestRecord
from shoal.audit.order import InsiderOrder
from shoal.audit.posterior import Posterior
from shoal.audit.pseudonyms import UndonePseudonyms
from shoal.audit.refinement import Refinement
from shoal.audit.repeated_people import RepeatedPeople
from shoal.audit.shifted_dates import AlignedDates
from shoal.audit.similarity import Similarity
from shoal.audit.skewness import Skewness
from shoal.core.plugins import collect

ALL: dict[str, type[Attack]] = collect(
    "shoal.audit",
    [
        Linking,
        Matching,
        Posterior,
        RepeatedPeople,
        NearestRecord,
        Homogeneity,
        Background,
        Skewness,
        Similarity,
        Inference,
        DeFinetti,
        Corruption,
        InsiderOrder,
        AlgorithmKnowledge,
        Minimality,
        Refinement,
        Composition,
        AsIs,
        UndonePseudonyms,
        AlignedDates,
        Carrier,
    ],
)
"""Every attack by name, in the order in which reports show them."""
