"""What analyses have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

from shoal.utility.analyses.study import Study


class Analysis(ABC):
    """Something that analysts do with a table; judged by how far the answer from a release is from the original's.

    0 says that nothing was lost. Unlike a ``Utility`` it takes the released table as it is printed, as somebody does
    who knows nothing of cells.
    """

    name: ClassVar[str]
    summary: ClassVar[str]

    learns: ClassVar[bool] = False
    """Whether it learns from records, so that those of people whom it is tested on must be left out."""

    @abstractmethod
    def compare(self, study: Study) -> float | None:
        """How far off the answer is; None where the tables do not allow the question."""
