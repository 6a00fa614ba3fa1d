"""What an adversary brings along."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from shoal.core.arrays import Codes
from shoal.core.table import DistinctRows, QuasiColumn, Table
from shoal.kernels.distinct import number_rows


@dataclass(frozen=True, eq=False)
class Knowledge:
    """People and their quasi-identifiers: a register. No sensitive value, no record, no owner.

    ``codes[j, person]`` in the domain of column ``j``. The adversary knows that these are all the people the release
    may be about, so that every record belongs to one of them; unless ``sampled_from`` says that they are only a
    sample of so many. Where somebody may have several rows in it, ``people`` numbers whose each row is.
    """

    quasi: tuple[QuasiColumn, ...]
    codes: Codes
    sampled_from: int | None = None
    people: Codes | None = None

    @classmethod
    def of(cls, table: Table) -> Knowledge:
        """The quasi-identifiers of the rows of a table, and nothing else of it."""
        return cls(table.quasi, table.codes, people=table.people)

    def sample(self, which: Codes) -> Knowledge:
        """Only these people."""
        people = None if self.people is None else self.people[which]
        return Knowledge(self.quasi, np.ascontiguousarray(self.codes[:, which]), self.n_people, people)

    @property
    def is_complete(self) -> bool:
        """Whether everybody is known."""
        return self.sampled_from is None

    @property
    def n_people(self) -> int:
        """Number of people, each row being one; see ``n_different``."""
        return int(self.codes.shape[1])

    @property
    def sample_said(self) -> str:
        """Of how many they are a sample, in words."""
        what = "people" if self.people is None else "rows"
        return f"a sample of {self.n_people:,} {what} out of {self.sampled_from or self.n_people:,}"

    @property
    def n_different(self) -> int:
        """Number of different people."""
        return self.n_people if self.people is None else int(np.unique(self.people).size)

    @cached_property
    def types(self) -> DistinctRows:
        """People with equal quasi-identifiers, whom nobody can tell apart. O(people · columns) once."""
        ids, firsts = number_rows(self.codes)
        return DistinctRows(ids, firsts, np.bincount(ids, minlength=firsts.size).astype(np.int64))


@dataclass(frozen=True)
class Leak:
    """Something in or around the records that says more than cells do: where, what, and how to be rid of it."""

    where: str
    what: str
    remedy: str


@dataclass(frozen=True)
class Carried:
    """All such things that were found, and how many places were looked at."""

    leaks: tuple[Leak, ...]
    n_looked_at: int
