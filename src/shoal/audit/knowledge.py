"""What an adversary knows in advance."""

from __future__ import annotations

from dataclasses import dataclass
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
