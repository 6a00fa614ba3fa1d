"""What an adversary knows in advance, and what can be found in a file and in its columns, before it is assessed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from shoal.core.arrays import Codes
from shoal.core.table import DistinctRows, QuasiColumn, Table


@dataclass(frozen=True, eq=False)
class Knowledge:
    """People and their quasi-identifiers: a register. No sensitive value, no record, no owner.

    ``codes[j, person]`` is in the domain of column ``j``. The adversary knows that these are all the people the release
    may be about, so that every record belongs to one of them, unless ``sampled_from`` says that they are a sample of
    that many. If people may have several rows in it, ``people`` numbers the person of each row.
    """

    quasi: tuple[QuasiColumn, ...]
    codes: Codes
    sampled_from: int | None = None
    people: Codes | None = None

    @classmethod
    def of(cls, table: Table) -> Knowledge:
        """The quasi-identifiers of the rows of a table, and nothing else."""
        return cls(table.quasi, table.codes, people=table.people)

    def sample(self, which: Codes) -> Knowledge:
        """The knowledge about these people only."""
        people = None if self.people is None else self.people[which]
        return Knowledge(self.quasi, np.ascontiguousarray(self.codes[:, which]), self.n_people, people)

    @property
    def is_complete(self) -> bool:
        """Whether everybody is known."""
        return self.sampled_from is None

    @property
    def n_people(self) -> int:
        """Number of people, counting each row as one; see ``n_different``."""
        return int(self.codes.shape[1])

    @property
    def sample_said(self) -> str:
        """The sample size, in words."""
        what = "people" if self.people is None else "rows"
        return f"a sample of {self.n_people:,} {what} out of {self.sampled_from or self.n_people:,}"

    @property
    def n_different(self) -> int:
        """Number of different people."""
        return self.n_people if self.people is None else int(np.unique(self.people).size)

    @cached_property
    def types(self) -> DistinctRows:
        """Groups of people with equal quasi-identifiers, who cannot be told apart. O(people · columns) once."""
        return DistinctRows.of(self.codes)


@dataclass(frozen=True)
class Leak:
    """Something in or around the records that reveals more than the cells: where, what, and the remedy."""

    where: str
    what: str
    remedy: str


@dataclass(frozen=True)
class Carried:
    """All leaks that were found, and the number of places checked."""

    leaks: tuple[Leak, ...]
    n_looked_at: int


@dataclass(frozen=True)
class Named:
    """Something in a column that names people, and the number of records with it."""

    column: str
    what: str
    n_records: int


@dataclass(frozen=True)
class Others:
    """The columns that are neither quasi-identifiers nor sensitive, how they distinguish records, and whom they name.

    ``n_alone`` records are unique on the printed quasi-identifiers; ``n_exposed`` are unique once the columns are known
    too, because of these rather than of the quasi-identifiers. ``by_column`` counts the records whose value in one
    column is unique. ``fewest_before`` and ``fewest_alike`` are the smallest groups of equal records without and with
    the columns. ``named`` is about all published columns, ``exact_dates`` about the quasi-identifiers: the share of
    cells that print single dates or sets of them. If people are counted, the size of a group is its number of people,
    and a record is unique if all records equal to it are the same person's.
    """

    columns: tuple[str, ...]
    n_records: int
    n_alone: int = 0
    n_exposed: int = 0
    fewest_before: int = 0
    fewest_alike: int = 0
    by_column: Mapping[str, int] = field(default_factory=dict)
    named: tuple[Named, ...] = ()
    exact_dates: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Pseudonymized:
    """A column of pseudonyms: how many there are, and how many each method identifies correctly.

    ``n_tried`` digests were compared. ``n_singled_out`` pseudonyms have several records whose combination of classes is
    unique.
    """

    name: str
    n_pseudonyms: int
    n_tried: int
    n_hashed: int
    n_counted: int
    n_singled_out: int


@dataclass(frozen=True)
class Shifted:
    """Columns of shifted dates: how many people, or single records, were identified by the days between dates."""

    names: tuple[str, ...]
    n_units: int
    n_guessed: int
    n_right: int
    chance: float
    are_linked: bool
