"""Which records belong to the same person, if people have several rows: known to the referee, never to an adversary."""

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
    """People in classes: for each pair, the number of the person's records in the class, and their share of it."""

    shapes: Codes
    people: Codes
    counts: Offsets
    parts: Floats


@dataclass(frozen=True, eq=False)
class Whose:
    """The person and the shape of each published row, and their sensitive values.

    ``column`` is the person key; ``is_counted`` says that the privacy models count its people. Otherwise it is a column
    that looks like a person key but was not declared as one.
    """

    column: str
    people: Codes
    shapes: Codes
    n_shapes: int
    values: Mapping[str, SensitiveColumn] = field(default_factory=dict)
    is_counted: bool = True

    @cached_property
    def pairs(self) -> PeopleInClasses:
        """Every pair of a person and a class with a record of theirs. O(records · log records)."""
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
        """For each person, the number of people with exactly the same shapes, equally often. Uses no kernels.

        People are numbered by their first records, then by these numbers and their second records, and so on. O(records
        log records).
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
        """The largest share of a class's records that belongs to one person."""
        return float(self.pairs.parts.max(initial=0.0))

    def found(self) -> float:
        """The chance that a record of a row's class is the same person's, over all rows."""
        return float(self.pairs.counts @ self.pairs.parts) / max(1, self.people.size)

    def n_people_of(self, pairs: Flags) -> int:
        """The number of different people in these pairs."""
        return int(np.unique(self.pairs.people[pairs]).size)

    def figures(self, k: int | None) -> dict[str, int]:
        """The numbers of people who fit records of their class."""
        sizes, records = self.people_by_shape, self.records_by_shape
        used = records > 0
        found = {
            "fewest people for a record": int(sizes[used].min(initial=self.people.size)),
            "records that fit one person": int(records[used & (sizes == 1)].sum()),
        }
        if k is not None:
            found["records that fit fewer than k people"] = int(records[used & (sizes < k)].sum())
        return found

    def tallies(self, column: SensitiveColumn) -> Tallies:
        """The number of people in each class who have each value."""
        table = Table((), np.empty((0, self.people.size), np.int32), (column,), people=self.people)
        return tally_people(table, column, self._classes)

    @cached_property
    def _classes(self) -> Groups:
        """The records of each shape; always the same object, so that counts are cached."""
        return Groups.from_ids(self.shapes, self.n_shapes)


def counted_people(whose: Whose | None) -> Codes | None:
    """The person of each record, if people are counted."""
    return whose.people if whose is not None and whose.is_counted else None
