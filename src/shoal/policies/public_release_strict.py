"""Public release with a risk threshold of 0.05."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from shoal.policies.contract import Policy


@dataclass(frozen=True)
class PublicReleaseStrict(Policy):
    """Anybody may have the release, and its content is sensitive: nobody's re-identification risk exceeds 0.05."""

    name: ClassVar[str] = "public-release-strict"
    summary: ClassVar[str] = (
        "for publication of particularly sensitive data: a largest risk of at most 0.05, which is k = 20"
    )
    dated: ClassVar[str] = "2015-04-20"
    source: ClassVar[str] = (
        "El Emam and Malin, Concepts and methods for de-identifying clinical trial data: Appendix B of Institute of "
        "Medicine, Sharing Clinical Trial Data (2015)"
    )
    rationale: ClassVar[str] = (
        "0.05, a cell size of 20, is the strictest threshold in common use for public data: 1/20 is 0.05."
    )
    settings: ClassVar[dict[str, Any]] = {"privacy": {"k": 20}}
