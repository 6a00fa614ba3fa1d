"""Which records are of the same person, where people have several rows: the referee knows it, no adversary does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from shoal.core.arrays import Codes, Flags, Floats, Offsets
from shoal.core.groups import Groups
from shoal.core.table import SensitiveColumn, Table
from shoal.core.tallies import Tallies
from shoal.models.people_values import tally_people


@dataclass(frozen=True, eq=False)
class PeopleInClasses:
    """People in classes: of each pair of the two how many records it has there, and which part of the class that is."""

    shapes: Codes
    people: Codes
    counts: Offsets
    parts: Floats


@dataclass(frozen=True, eq=False)
class Whose:
    """The person and the shape of each published row, and their sensitive values.

    ``column`` is the one that tells whose they are; ``is_counted`` says that promises are about its people. Without
    that it is a column that looks like a person's key and that nobody spoke of.
    """

    column: str
    people: Codes
    shapes: Codes
    n_shapes: int
    values: Mapping[str, SensitiveColumn] = field(default_factory=dict)
    is_counted: bool = True

    @cached_property
    def pairs(self) -> PeopleInClasses:
        """Everybody in every class that they have a record in. O(records · log records)."""
        width = int(self.people.max(initial=0)) + 1
        pairs, counts = np.unique(self.shapes.astype(np.int64) * width + self.people, return_counts=True)
        shapes = (pairs // width).astype(np.int32)
        return PeopleInClasses(shapes, (pairs % width).astype(np.int32), counts, counts / self.records_by_shape[shapes])

    @cached_property
    def people_by_shape(self) -> Offsets:
        """The number of different people of each shape."""
        return np.bincount(self.pairs.shapes, minlength=self.n_shapes).astype(np.int64)

    @cached_property
    def records_by_shape(self) -> Offsets:
        """The number of records of each shape."""
        return np.bincount(self.shapes, minlength=self.n_shapes).astype(np.int64)

    @cached_property
    def people_by_history(self) -> Offsets:
        """For each person the number of people whose records are all the same, equally many of each. No kernels.

        People are numbered by their first records, then by these numbers and their second records, and so on.
        O(records log records).
        """
        people, shapes = np.divmod(np.sort(self.people.astype(np.int64) * self.n_shapes + self.shapes), self.n_shapes)
        starts = np.flatnonzero(np.diff(people, prepend=-1))
        lengths = np.diff(np.append(starts, people.size))
        longest_first = np.argsort(-lengths, kind="stable")
        ids = np.zeros(lengths.size, np.int64)
        for place in range(int(lengths.max(initial=0))):
            still = longest_first[: np.searchsorted(-lengths[longest_first], -place)]
            ids[still] = np.unique(ids[still] * self.n_shapes + shapes[starts[still] + place], return_inverse=True)[1]
        _, same, counts = np.unique(lengths * (lengths.size + 1) + ids, return_inverse=True, return_counts=True)
        return counts[same].astype(np.int64)

    @cached_property
    def n_people(self) -> int:
        """The number of different people."""
        return int(np.count_nonzero(np.bincount(self.people)))

    @property
    def largest_part(self) -> float:
        """The largest part of the records of a class that one person has."""
        return float(self.pairs.parts.max(initial=0.0))

    def found(self) -> float:
        """The chance that a record of a row's class is the same person's, over all rows."""
        return float(self.pairs.counts @ self.pairs.parts) / max(1, self.people.size)

    def n_people_of(self, pairs: Flags) -> int:
        """The number of different people of some pairs."""
        return int(np.unique(self.pairs.people[pairs]).size)

    def figures(self, k: int | None) -> dict[str, int]:
        """How many people fit records of their class."""
        sizes, records = self.people_by_shape, self.records_by_shape
        used = records > 0
        found = {
            "fewest people for a record": int(sizes[used].min(initial=self.people.size)),
            "records that fit one person": int(records[used & (sizes == 1)].sum()),
        }
        return (
            found
            if k is None
            else found | {"records that fit fewer than k people": int(records[used & (sizes < k)].sum())}
        )

    def tallies(self, column: SensitiveColumn) -> Tallies:
        """How many people of each class have each value."""
        table = Table((), np.empty((0, self.people.size), np.int32), (column,), people=self.people)
        return tally_people(table, column, self._classes)

    @cached_property
    def _classes(self) -> Groups:
        """The records of each shape; always the same object, so that what is counted of it is counted once."""
        return Groups.from_ids(self.shapes, self.n_shapes)


def counted_people(whose: Whose | None) -> Codes | None:
    """Whose each record is, where people are counted."""
    return whose.people if whose is not None and whose.is_counted else None
