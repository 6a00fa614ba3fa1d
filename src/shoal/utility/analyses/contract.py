"""The interface of analyses."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

from shoal.utility.analyses.study import Study


class Analysis(ABC):
    """A task of analysts, measured by how far the answer from a release is from the original's.

    0 means that nothing was lost. Unlike a ``Utility`` it uses the released table as printed, like an analyst who knows
    nothing about cells.
    """

    name: ClassVar[str]
    summary: ClassVar[str]

    learns: ClassVar[bool] = False
    """Whether it learns from records, so that those of the people it is tested on must be left out."""

    @abstractmethod
    def compare(self, study: Study) -> float | None:
        """How far off the answer is; None if the tables do not allow the question."""
