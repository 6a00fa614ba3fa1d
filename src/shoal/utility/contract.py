"""What measures of usefulness have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

from shoal.core.table import Table
from shoal.utility.spread import Spread


class Utility(ABC):
    """Judges a publication by what somebody gets out of it who takes each cell to be spread evenly over its values.

    0 says that nothing was lost. The original is looked at only to know the right answers; the publication may be
    anybody's, read from its labels.
    """

    name: ClassVar[str]
    summary: ClassVar[str]
    needs_people: ClassVar[bool] = False
    """Whether it asks about people, so that somebody has to tell whose row each row is."""

    @abstractmethod
    def measure(self, table: Table, spread: Spread) -> float | None:
        """How wrong the answers are; None where the table has no column to ask about."""
