"""Policies by name: one a file, each nothing but words of the vocabulary with the text they come from."""

from __future__ import annotations

from shoal.core.plugins import Family, collect
from shoal.policies.cms_cell_size import CmsCellSize
from shoal.policies.contract import Policy
from shoal.policies.controlled_access import ControlledAccess
from shoal.policies.hipaa_safe_harbor import HipaaSafeHarbor
from shoal.policies.internal_use import InternalUse
from shoal.policies.public_release import PublicRelease
from shoal.policies.public_release_strict import PublicReleaseStrict
from shoal.policies.research_partner import ResearchPartner

_OURS = (
    PublicRelease, PublicReleaseStrict, ControlledAccess, ResearchPartner, InternalUse, HipaaSafeHarbor, CmsCellSize,
)  # fmt: skip

ALL: Family[type[Policy]] = collect("shoal.policies", _OURS)
"""Every policy by name."""

__all__ = ["ALL", "Policy"]
