"""Use within the organization that holds the data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from shoal.policies.contract import Policy


@dataclass(frozen=True)
class InternalUse(Policy):
    """For colleagues who might see the original data anyway: nobody is unique."""

    name: ClassVar[str] = "internal-use"
    summary: ClassVar[str] = (
        "for use inside the organization, tests and teaching: k = 2, so that no record stands alone"
    )
    dated: ClassVar[str] = "2026-11-16"
    source: ClassVar[str] = "shoal's own: the least that k-anonymity can mean (Samarati and Sweeney 1998)"
    rationale: ClassVar[str] = (
        "It prevents identification by a casual look. It is not an anonymization that a regulator would accept, and "
        "the release should not leave the organization."
    )
    settings: ClassVar[dict[str, Any]] = {"privacy": {"k": 2}}
