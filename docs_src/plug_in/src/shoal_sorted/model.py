"""No majority: no sensitive value belongs to too large a part of a class."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from shoal.core.arrays import Floats
from shoal.core.parameters import real_number
from shoal.core.table import SensitiveColumn
from shoal.core.tallies import Tallies
from shoal.models.sensitive import SensitiveModel


@dataclass(frozen=True)
class NoMajority(SensitiveModel):
    """In every class, each sensitive value belongs to at most the given share of the records. O(records)."""

    share: float

    name: ClassVar[str] = "no-majority"
    flag: ClassVar[str] = "no-majority"
    summary: ClassVar[str] = "no sensitive value belongs to more than the share NO-MAJORITY of a class"
    is_monotone: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "share", real_number("no-majority", self.share, least=0, most=1))

    @classmethod
    def parse(cls, text: str) -> NoMajority:
        """From ``0.5``."""
        return cls(real_number("no-majority", text, least=0, most=1))

    @property
    def threshold(self) -> float:
        """What ``judge`` has to reach."""
        return 1 - self.share

    def judge(self, column: SensitiveColumn, tallies: Tallies) -> Floats:
        """The share of the other values, where the commonest is left out."""
        largest = np.maximum.reduceat(tallies.counts, tallies.offsets[:-1])
        others: Floats = 1 - largest / tallies.sizes
        return others

    def __str__(self) -> str:
        return f"a largest share of {self.share:.0%}"
