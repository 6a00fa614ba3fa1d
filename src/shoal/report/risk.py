"""How easily records can be singled out: figures that need the sizes of the classes and nothing else."""

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
"""The class sizes that regulators and the literature ask for; as risks 1/2, 1/3, 1/5, 1/11 and 1/20."""


@dataclass(frozen=True)
class Above:
    """The records whose risk is above ``risk``, which is 1 / ``size``: those in a class smaller than ``size``.

    Counted by size, not by comparing rounded risks: a record in a class of 3 is not above 1/3.
    """

    risk: float
    size: int
    n_rows: int
    share: float


@dataclass(frozen=True)
class RecordRisk:
    """The risk of a record is 1 / (size of its class): the chance of a guess among the records that look alike.

    Where people are counted, the size of a class is the number of different people whose records are in it.

    ``spectrum`` lists each class size that occurs with the number of classes that have it, ascending. Where records
    need not look alike (not ``is_by_class``) the sizes of classes say nothing about risk: ``highest`` is then what the
    promises about matches leave, infinite where they leave any, and there is no ``average`` and nothing ``above``.
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
        """The same for records that need not look alike, of which promises bound the chances of matches."""
        highest = min(chances, default=math.inf)
        return replace(self, highest=highest, average=math.inf, above=(), is_by_class=False)

    @classmethod
    def of_groups(cls, table: Table, groups: Groups) -> RecordRisk:
        """From the classes of rows of a table, people being counted where it says whose they are. O(rows)."""
        return cls.of_sizes(groups.sizes, None if table.people is None else people_of(table, groups))

    @classmethod
    def of_sizes(cls, sizes: Offsets | Sequence[int], people: Offsets | Sequence[int] | None = None) -> RecordRisk:
        """From the records of every class and, where people are counted, their people. O(classes log classes)."""
        records = np.asarray(sizes, np.int64)
        values, which = np.unique(records if people is None else np.asarray(people, np.int64), return_inverse=True)
        counts = np.bincount(which, minlength=values.size)
        rows = np.bincount(which, records, values.size).astype(np.int64)
        n_rows, n_classes = int(rows.sum()), int(counts.sum())
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
            above=tuple(_above(size, int(rows[values < size].sum()), n_rows) for size in SIZES),
            spectrum=tuple(zip(values.tolist(), counts.tolist(), strict=True)),
        )


def _above(size: int, n_rows: int, of: int) -> Above:
    return Above(1 / size, size, n_rows, n_rows / max(1, of))
