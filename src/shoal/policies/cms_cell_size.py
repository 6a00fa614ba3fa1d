"""The cell size suppression policy of the Centers for Medicare & Medicaid Services."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from shoal.policies.contract import Policy


@dataclass(frozen=True)
class CmsCellSize(Policy):
    """No combination of quasi-identifiers is published for 1 to 10 people."""

    name: ClassVar[str] = "cms-cell-size"
    summary: ClassVar[str] = "no cell of 1 to 10 people, which is k = 11"
    dated: ClassVar[str] = "2024-01-26"
    source: ClassVar[str] = "CMS Cell Size Suppression Policy, as ResDAC states it for data use agreements (2024-01-26)"
    rationale: ClassVar[str] = (
        "A cell of a table counted from the release is a class or several classes. If a beneficiary can have "
        "several rows, name the beneficiary's column as person, so that people are counted."
    )
    settings: ClassVar[dict[str, Any]] = {"privacy": {"k": 11}}
