"""Policies by name: one policy a file, each a set of settings and the text they come from.

``contract`` defines what a policy is; ``safe_harbor_kinds`` has the eighteen kinds of identifiers of one of them.
"""

from __future__ import annotations

from shoal.core.plugins import Family, collect
from shoal.policies.contract import Policy

_PLACES = {
    "public-release": "shoal.policies.public_release:PublicRelease",
    "public-release-strict": "shoal.policies.public_release_strict:PublicReleaseStrict",
    "controlled-access": "shoal.policies.controlled_access:ControlledAccess",
    "research-partner": "shoal.policies.research_partner:ResearchPartner",
    "internal-use": "shoal.policies.internal_use:InternalUse",
    "hipaa-safe-harbor": "shoal.policies.hipaa_safe_harbor:HipaaSafeHarbor",
    "cms-cell-size": "shoal.policies.cms_cell_size:CmsCellSize",
}

ALL: Family[type[Policy]] = collect("shoal.policies", _PLACES)
"""Every policy by name."""

__all__ = ["ALL", "Policy"]
