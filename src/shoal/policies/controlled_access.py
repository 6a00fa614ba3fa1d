"""Controlled access with a risk threshold of 0.2."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from shoal.policies.contract import Policy


@dataclass(frozen=True)
class ControlledAccess(Policy):
    """For applicants bound by an agreement: nobody's re-identification risk exceeds 0.2."""

    name: ClassVar[str] = "controlled-access"
    summary: ClassVar[str] = "for recipients bound by an agreement: a largest risk of at most 0.2, which is k = 5"
    dated: ClassVar[str] = "2015-04-20"
    source: ClassVar[str] = (
        "El Emam and Malin, Concepts and methods for de-identifying clinical trial data: Appendix B of Institute of "
        "Medicine, Sharing Clinical Trial Data (2015)"
    )
    rationale: ClassVar[str] = (
        "A cell size of 5 is the commonest threshold for data that is not public; 1/5 is 0.2. The rest of "
        "the protection comes from who receives the data, and on which terms."
    )
    settings: ClassVar[dict[str, Any]] = {"privacy": {"k": 5}}
