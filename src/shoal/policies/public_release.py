"""Public release with a risk threshold of 0.09."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from shoal.policies.contract import Policy


@dataclass(frozen=True)
class PublicRelease(Policy):
    """Anybody may have the release: nobody's re-identification risk exceeds 0.09."""

    name: ClassVar[str] = "public-release"
    summary: ClassVar[str] = "for publication: a largest risk of at most 0.09, which is k = 12"
    dated: ClassVar[str] = "2019-03-12"
    source: ClassVar[str] = (
        "EMA, External guidance on the implementation of Policy 0070 (EMA/90915/2016, version 1.3 of 2017-09-20); "
        "Health Canada, Public Release of Clinical Information: guidance document (version 1.0 of 2019-03-12)"
    )
    rationale: ClassVar[str] = (
        "Both take 0.09 as the largest risk of a record in a public release. 1/11 is 0.0909 and above that; 1/12 is "
        "0.0833."
    )
    settings: ClassVar[dict[str, Any]] = {"privacy": {"k": 12}}
