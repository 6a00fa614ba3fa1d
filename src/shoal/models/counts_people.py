"""The base class of models about all classes together that count records, or people if asked to."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, field, replace
from typing import ClassVar, Self

from shoal.core.contracts import GroupModel, ReleaseModel
from shoal.models.k_anonymity import KAnonymity


@dataclass(frozen=True)
class CountsPeople(ReleaseModel):
    """If ``counts_people``, the size of a class is the number of its people."""

    counts_people: bool = field(default=False, kw_only=True, repr=False)

    judges_counts: ClassVar[bool] = True

    @property
    @abstractmethod
    def enough(self) -> int:
        """The class size that implies the model if all classes have it."""

    @property
    def on_groups(self) -> GroupModel:
        """Classes of at least ``enough`` records."""
        each = KAnonymity(self.enough)
        return each.of_people() if self.counts_people else each

    @property
    def needs_rows(self) -> bool:
        """True if people are counted."""
        return self.counts_people

    @property
    def as_said(self) -> Self:
        """The model that counts records."""
        return replace(self, counts_people=False)

    def of_people(self) -> Self:
        """The same model, counting the people of each class."""
        return replace(self, counts_people=True)

    def _counted(self) -> str:
        return " (people counted)" if self.counts_people else ""
