"""The interface of usefulness measures."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

from shoal.core.table import Table
from shoal.utility.spread import Spread


class Utility(ABC):
    """Measures what an analyst gets out of a publication by assuming that each cell is spread evenly over its values.

    0 means that nothing was lost. The original is used only to compute the right answers; the publication may come from
    any program, read from its labels.
    """

    name: ClassVar[str]
    summary: ClassVar[str]
    needs_people: ClassVar[bool] = False
    """Whether it asks about people, so that a person key is needed."""

    @abstractmethod
    def measure(self, table: Table, spread: Spread) -> float | None:
        """How wrong the answers are; None if the table has no suitable column."""
