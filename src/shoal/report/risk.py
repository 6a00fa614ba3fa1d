"""Re-identification risk of records: figures that only need the sizes of the classes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from shoal.core.arrays import Offsets
from shoal.core.groups import Groups
from shoal.core.table import Table
from shoal.models.of_people import people_of

SIZES = (2, 3, 5, 11, 20)
"""Class sizes that regulators and the literature require; as risks 1/2, 1/3, 1/5, 1/11 and 1/20."""


@dataclass(frozen=True)
class Above:
    """The records whose risk is above ``risk`` = 1 / ``size``: those in a class smaller than ``size``.

    Counted by size rather than by comparing rounded risks: a record in a class of 3 is not above 1/3.
    """

    risk: float
    size: int
    n_rows: int
    share: float


@dataclass(frozen=True)
class RecordRisk:
    """The risk of a record is 1 / (size of its class): the chance of guessing right among indistinguishable records.

    If people are counted, the size of a class is the number of different people with records in it.

    ``spectrum`` lists each class size that occurs and the number of classes with it, ascending. If records need not be
    indistinguishable (not ``is_by_class``), class sizes say nothing about risk: ``highest`` is then the bound that the
    privacy models about matches give, infinite if they give none, and there is no ``average`` and nothing ``above``.
    """

    n_rows: int
    n_classes: int
    n_unique: int
    smallest: int
    largest: int
    mean_size: float
    highest: float
    average: float
    above: tuple[Above, ...]
    spectrum: tuple[tuple[int, int], ...]
    is_by_class: bool = True

    def by_matches(self, chances: Sequence[float]) -> RecordRisk:
        """The same for records that need not be indistinguishable, where models bound the chances of matches."""
        highest = min(chances, default=math.inf)
        return replace(self, highest=highest, average=math.inf, above=(), is_by_class=False)

    @classmethod
    def of_groups(cls, table: Table, groups: Groups) -> RecordRisk:
        """Compute the risk from the classes of a table, counting people if it has a person key. O(rows)."""
        return cls.of_sizes(groups.sizes, None if table.people is None else people_of(table, groups))

    @classmethod
    def of_sizes(cls, sizes: Offsets | Sequence[int], people: Offsets | Sequence[int] | None = None) -> RecordRisk:
        """Compute the risk from the records of every class and, if given, their people. O(classes log classes)."""
        records = np.asarray(sizes, np.int64)
        values, which = np.unique(records if people is None else np.asarray(people, np.int64), return_inverse=True)
        counts = np.bincount(which, minlength=values.size)
        rows = np.bincount(which, records, values.size).astype(np.int64)
        n_rows, n_classes = int(rows.sum()), int(counts.sum())
        smaller = [(size, int(rows[values < size].sum())) for size in SIZES]
        smallest, largest = (int(values[0]), int(values[-1])) if n_classes else (0, 0)
        return cls(
            n_rows=n_rows,
            n_classes=n_classes,
            n_unique=int(rows[values == 1].sum()),
            smallest=smallest,
            largest=largest,
            mean_size=int((values * counts).sum()) / max(1, n_classes),
            highest=1 / smallest if n_classes else 0.0,
            average=float((rows / values).sum()) / max(1, n_rows),
            above=tuple(Above(1 / size, size, n, n / max(1, n_rows)) for size, n in smaller),
            spectrum=tuple(zip(values.tolist(), counts.tolist(), strict=True)),
        )
