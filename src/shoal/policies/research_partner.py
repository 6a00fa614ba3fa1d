"""A research partner under contract."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from shoal.policies.contract import Policy


@dataclass(frozen=True)
class ResearchPartner(Policy):
    """For a known partner, bound by contract, with controls of its own: nobody stands out, and few are at risk."""

    name: ClassVar[str] = "research-partner"
    summary: ClassVar[str] = (
        "for a known partner under contract: an average risk of at most 0.1, k = 3, and the usual audit"
    )
    dated: ClassVar[str] = "2015-04-20"
    source: ClassVar[str] = (
        "El Emam and Malin, Concepts and methods for de-identifying clinical trial data: Appendix B of Institute of "
        "Medicine, Sharing Clinical Trial Data (2015)"
    )
    rationale: ClassVar[str] = (
        "Where an agreement forbids re-identification and the recipient is known, the average risk is what is usually "
        "bounded, by 0.05 to 0.1, with no record in a class smaller than 3. The audit shows what is left to the "
        "agreement."
    )
    settings: ClassVar[dict[str, Any]] = {"privacy": {"k": 3, "average-risk": 0.1}, "audit": "usual"}
