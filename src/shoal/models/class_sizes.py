"""The base classes of models about all classes together: those that count records or people, and those about sizes."""

from __future__ import annotations

from abc import abstractmethod
from bisect import bisect_left
from dataclasses import dataclass, field, replace
from typing import ClassVar, Self

import numpy as np

from shoal.core.arrays import Codes, Flags, Offsets
from shoal.core.contracts import GroupModel, ReleaseModel, Verdict
from shoal.core.groups import CountGroups, Groups
from shoal.core.node import Node
from shoal.core.release import Release
from shoal.core.table import Table
from shoal.models.k_anonymity import KAnonymity
from shoal.models.of_people import needs_people, people_of

HAIR = 1e-12
"""The relative rounding error allowed in a sum of many risks."""


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
    def needs_rows(self) -> bool:  # type: ignore[override]
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


@dataclass(frozen=True)
class ClassSizesModel(CountsPeople):
    """A figure computed from the sizes of all classes is at most ``limit``, as it is if all have ``enough`` records.

    Suppressing the smallest class never raises the figure, so the fewest classes to suppress are found by bisection.
    """

    @property
    @abstractmethod
    def limit(self) -> float:
        """The largest allowed figure."""

    @abstractmethod
    def figure(self, sizes: Offsets, records: Offsets) -> float:
        """The figure, from the size and the number of records of each class. O(classes)."""

    def holds_for(self, sizes: Offsets, records: Offsets) -> bool:
        """Whether classes of these sizes satisfy the model."""
        return self.figure(sizes, records) <= self.limit * (1 + HAIR)

    def check(self, release: Release) -> Verdict:
        """Compute the figure from the published classes."""
        return self._verdict(self._sizes(release.table, release.classes), release.classes.sizes)

    def judge_counts(self, table: Table, count: CountGroups) -> Verdict:
        """Judge by the sizes of the classes of all columns; the worst classes are not named."""
        found = count(range(table.n_quasi))
        verdict = self._verdict(found.people if self.counts_people else found.records, found.records)
        return replace(verdict, worst=(), worst_measures=())

    def _verdict(self, sizes: Offsets, records: Offsets) -> Verdict:
        order = np.argsort(sizes, kind="stable")
        worst = order[:10]
        return Verdict(
            promise=str(self),
            holds=self.holds_for(sizes, records),
            wanted=self.limit,
            achieved=self.figure(sizes, records),
            n_groups=sizes.size,
            n_failing=self._first_fine(sizes[order], records[order]),
            worst=tuple(worst.tolist()),
            worst_measures=tuple((1 / sizes[worst]).tolist()),
            reads=self.reads,
        )

    def keep(self, node: Node, order: Codes) -> Flags:
        """All kept classes except the smallest ones that have to go. O(classes log classes)."""
        sizes = node.sizes
        if self.counts_people:
            sizes = self._sizes(node.table, Groups.from_ids(node.row_classes, node.sizes.size))
            order = order[np.argsort(sizes[order], kind="stable")]
        kept = node.kept.copy()
        kept[order[: self._first_fine(sizes[order], node.sizes[order])]] = False
        return kept

    def _sizes(self, table: Table, groups: Groups) -> Offsets:
        if not self.counts_people:
            return groups.sizes
        needs_people(self, table)
        return people_of(table, groups)

    def _first_fine(self, sizes: Offsets, records: Offsets) -> int:
        """How many classes have to be suppressed, from the start of a list of ascending sizes."""
        return bisect_left(range(sizes.size), True, key=lambda n: self.holds_for(sizes[n:], records[n:]))
