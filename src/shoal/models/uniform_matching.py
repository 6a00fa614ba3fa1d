"""Uniform matching: every record is equally likely to belong to any of k people."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, field, replace
from typing import ClassVar

import numpy as np

from shoal.core.arrays import Offsets
from shoal.core.assignment import AssignmentGraph, match_degrees
from shoal.core.contracts import Evidence, PrivacyModel, Verdict
from shoal.core.parameters import checked, whole_number
from shoal.core.release import Release
from shoal.core.table import Table
from shoal.errors import ImpossibleGoal
from shoal.models.people_matches import PeopleWeighed


@dataclass(frozen=True)
class UniformMatching(PrivacyModel):
    """Each person has ``k`` records that may be theirs, each with a chance of 1 / k, and vice versa.

    Guarantee: the chance of linking a person to a record is at most 1 / k, as with k-anonymity, but records need not
    look alike: each may have its own cells. Protection comes from drawing the owner of each record at random among its
    k matches. The promise therefore has two halves. This check verifies, from the cells, that the matches split into
    ``k`` assignments, no two of which share a match. No single release can show that one of them was drawn with equal
    probability; algorithms that support this promise are tested for it.

    Threat model: the adversary knows everybody's quasi-identifiers, who is in the table, and the algorithm, but not its
    random numbers.

    A release with classes keeps it if every class has k records. In any other release, the named matches count only as
    far as the cells confirm them; without named matches, all matches that the cells allow are judged by maximum flow.

    People counted: judged in classes: nobody owns more than 1 / k of the rows of a class.

    Cost: O(matches · columns), or that of the flow.

    Reference: Wong, Mamoulis and Cheung 2010, Non-Homogeneous Generalization in Privacy Preserving Data Publishing
    (Definition 2, Lemma 1).

    >>> str(UniformMatching(5))
    '5 uniform matches'
    """

    k: int = field(metadata=checked(whole_number, "k", least=1))

    name: ClassVar[str] = "uniform-matching"
    flag: ClassVar[str] = "matching"
    summary: ClassVar[str] = "every record is equally likely to belong to any of MATCHING people (records may differ)"
    judged_by: ClassVar[tuple[Evidence, ...]] = ("original",)

    @property
    def drawn_from(self) -> int:
        """The k matches of a record."""
        return self.k

    @property
    def matching(self) -> int:
        """k, under the name of the command-line option, because reports substitute it for the option's capitals."""
        return self.k

    @property
    def link_chance(self) -> float:
        """1 / k."""
        return 1 / self.k

    @property
    def survives_union(self) -> bool:
        """True: no match leads from one part to another, so all stay equally likely."""
        return True

    def check(self, release: Release) -> Verdict:
        """Count the matches of each record that are guaranteed to be equally likely."""
        degrees = self._degrees(release)
        achieved = float(degrees.min(initial=release.n_records))
        found = Verdict.of(self, degrees.astype(float), self.k, reads="pools")
        return replace(found, wanted=self.k, achieved=achieved, worst=(), worst_measures=())

    def _degrees(self, release: Release) -> Offsets:
        """The matches of each record; without classes or named matches, the most assignments up to k, by bisection."""
        if release.matches is not None:
            return match_degrees(release.table.codes, release.matches, release.owners, release.shapes, release.cells)
        sizes = np.zeros(release.table.n_rows, np.int64)
        sizes[release.classes.members] = np.repeat(release.classes.sizes, release.classes.sizes)
        if (sizes[release.owners] >= self.k).all():
            return sizes[release.owners]
        graph = AssignmentGraph.of_cells(release.table.codes, release.owners, release.shapes, release.cells)
        most = bisect_left(range(1, self.k + 1), True, key=lambda k: graph.regular_part(k) is None)
        return np.full(release.n_records, most, np.int64)

    def of_people(self) -> PeopleWeighed:
        """Nobody has more than 1 / k of the rows of a class, so a row's k equally likely matches are of k people."""
        return PeopleWeighed(self, 1 / self.k)

    def refuse(self, table: Table) -> None:
        """Refuse k above the number of rows."""
        if self.k > table.n_rows:
            raise ImpossibleGoal(
                f"k = {self.k:,} matches need at least {self.k:,} rows, but the table has {table.n_rows:,}; "
                f"ask for k of at most {table.n_rows:,}."
            )

    def __str__(self) -> str:
        return f"{self.k} uniform matches"
