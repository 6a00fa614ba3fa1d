"""Individual risk: in a weighted sample, the probability that a record is found in the population is at most r."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Literal

from shoal.core.arrays import Floats
from shoal.core.contracts import Evidence, GroupModel, Verdict
from shoal.core.groups import Groups
from shoal.core.parameters import checked, positive_number
from shoal.core.release import Release
from shoal.core.table import Table
from shoal.errors import ImpossibleGoal
from shoal.models.population_frequencies import (
    individual_risk,
    people_estimated,
    weights_of,
    weights_published,
)


@dataclass(frozen=True)
class IndividualRisk(GroupModel):
    """The individual risk of Benedetti and Franconi is at most ``r`` for every record of a weighted sample.

    Guarantee: the expected chance that a record is matched to the right person of the population is at most r, under
    the model below.

    Threat model: the adversary knows the quasi-identifiers of people in the population, but not who was sampled.

    A class of f records whose sample weights add up to F stands for about F people in the population. The risk is the
    mean of 1 / (people in the class) under that model: about 1 / F, and more if the class has few records. It is exact,
    not the approximation for f > 2 that other tools use by default. Without weights every row represents itself; the
    risk is then 1 / f, which is never smaller. If rows are suppressed and weights adjusted (``adjust_weights``), a
    release is judged by the adjusted weights. Algorithms work with the original weights, which is sufficient: a larger
    F is a smaller risk.

    Monotone: in a union, f is larger than in either part, and f / F is at most the larger of theirs; the risk falls as
    f grows and rises with f / F. Members of a household count as records; see HouseholdRisk.

    People counted: unchanged, each row being a member of the household that ``person`` names, with a risk of its own.

    Cost: O(rows).

    Reference: Benedetti and Franconi 1998, Statistical and Technological Solutions for Controlled Data Dissemination.

    >>> str(IndividualRisk(0.05))
    'individual risk 0.05'
    """

    r: float = field(metadata=checked(positive_number, "The individual risk", most=1))

    name: ClassVar[str] = "individual-risk"
    flag: ClassVar[str] = "individual-risk"
    summary: ClassVar[str] = (
        "in a weighted sample, no record is found in the population with a chance above R (--sample-weight)"
    )
    reads: ClassVar[Literal["classes", "pools"]] = "classes"
    is_monotone: ClassVar[bool] = True
    negates: ClassVar[bool] = True
    needs_original: ClassVar[bool] = True
    needs_weights: ClassVar[bool] = True
    judged_by: ClassVar[tuple[Evidence, ...]] = ("original",)

    @property
    def threshold(self) -> float:
        """Minus r."""
        return -self.r

    def measure(self, table: Table, groups: Groups) -> Floats:
        """Minus the risk of each group's records."""
        return -individual_risk(groups.sizes, people_estimated(weights_of(table), groups))

    def check(self, release: Release) -> Verdict:
        """Compute the risks from the published classes."""
        people = people_estimated(weights_published(release), release.classes)
        return self.verdict(-individual_risk(release.classes.sizes, people))

    def of_people(self) -> IndividualRisk:
        """The model itself: each member of a household is a person."""
        return self

    def refuse(self, table: Table) -> None:
        """Refuse a risk below that of a single class of all rows."""
        least = -float(self.measure(table, Groups.whole(table.n_rows))[0])
        if least > self.r * (1 + 1e-12):
            raise ImpossibleGoal(f"{self} cannot hold: one class of all rows has {least:.3g}; ask for that or more.")

    def __str__(self) -> str:
        return f"individual risk {self.r:g}"
