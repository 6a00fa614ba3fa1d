"""Household risk: in a weighted sample, the probability that a member of a household is found is at most r."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, field, replace
from typing import ClassVar

import numpy as np

from shoal.core.arrays import Codes, Flags, Floats, Offsets
from shoal.core.contracts import Evidence, GroupModel, ReleaseModel, Verdict
from shoal.core.histories import owners_of
from shoal.core.node import Node
from shoal.core.parameters import checked, positive_number
from shoal.core.release import Release
from shoal.core.table import Table
from shoal.errors import ImpossibleGoal
from shoal.models.individual_risk import IndividualRisk
from shoal.models.population_frequencies import (
    household_risk,
    individual_risk,
    people_estimated,
    weights_of,
    weights_published,
)

HAIR = 1e-12
"""The rounding error allowed in a risk."""


@dataclass(frozen=True)
class HouseholdRisk(ReleaseModel):
    """For every household, the chance that at least one of its published members is found is at most ``r``.

    Guarantee: with independent individual risks, 1 − the product of (1 − individual risk) over the members is at most
    r. The column ``person`` names the household of each row; without it, each row is a household.

    Threat model: the adversary of IndividualRisk, who knows the other members of a household once one is recognized.

    Algorithms that form one class at a time enforce an individual risk that keeps even the largest household below r.
    Searches of a lattice suppress the classes with the highest risk first; nothing is concluded about other nodes.

    People counted: the household that ``person`` names is what is protected, with all its members.

    Cost: O(rows).

    Reference: Polettini and Seri 2003, Guidelines for the Protection of Social Micro-Data Using Individual Risk
    Methodology; the hierarchical risk of sdcMicro.

    >>> str(HouseholdRisk(0.1))
    'household risk 0.1'
    """

    r: float = field(metadata=checked(positive_number, "The household risk", most=1))
    largest: int = field(default=1, repr=False)
    """The size of the largest household, once the table is known."""

    name: ClassVar[str] = "household-risk"
    flag: ClassVar[str] = "household-risk"
    summary: ClassVar[str] = (
        "in a weighted sample, no household has a chance above R that a member is found (--sample-weight, --person)"
    )
    needs_original: ClassVar[bool] = True
    needs_weights: ClassVar[bool] = True
    needs_rows: ClassVar[bool] = True
    judged_by: ClassVar[tuple[Evidence, ...]] = ("original",)

    @property
    def as_said(self) -> HouseholdRisk:
        """The model without the size of the largest household."""
        return replace(self, largest=1)

    @property
    def on_groups(self) -> GroupModel:
        """An individual risk low enough even if all members of the largest household have it."""
        if self.largest == 1 or self.r == 1:
            return IndividualRisk(self.r)
        return IndividualRisk(min(1.0, -np.expm1(np.log1p(-self.r) / self.largest) * (1 + HAIR / 2)))

    def about(self, table: Table, population: int | None) -> HouseholdRisk:
        """The model with the size of the largest household."""
        return self if table.people is None else replace(self, largest=int(np.bincount(table.people).max(initial=1)))

    def of_people(self) -> HouseholdRisk:
        """The model itself: it is about households."""
        return self

    def check(self, release: Release) -> Verdict:
        """Compute the risk of every household from the published classes."""
        table, classes = release.table, release.classes
        own = individual_risk(classes.sizes, people_estimated(weights_published(release), classes))
        ids = np.repeat(np.arange(len(classes)), classes.sizes)
        risks = household_risk(own[ids], owners_of(table)[classes.members])
        worst = np.zeros(len(classes))
        np.maximum.at(worst, ids, risks)
        found = Verdict.of(self, -worst, -(self.r + HAIR), np.negative)
        return replace(found, wanted=self.r, achieved=float(worst.max(initial=0.0)))

    def keep(self, node: Node, order: Codes) -> Flags:
        """All kept classes except those of the highest risk that have to go. O(rows · log classes)."""
        ids = node.row_classes
        sums = np.bincount(ids, weights_of(node.table), node.sizes.size).astype(np.float64)
        own = individual_risk(node.sizes, sums)
        order = order[np.argsort(-own[order], kind="stable")]
        n_lost = bisect_left(range(order.size), True, key=lambda n: self._is_fine(node, own, order[n:], ids))
        kept = node.kept.copy()
        kept[order[:n_lost]] = False
        return kept

    def _is_fine(self, node: Node, own: Floats, left: Codes, ids: Codes) -> bool:
        published = np.zeros(node.sizes.size, bool)
        published[left] = True
        rows: Offsets = np.flatnonzero(published[ids])
        risks = household_risk(own[ids[rows]], owners_of(node.table)[rows])
        return bool((risks <= self.r + HAIR).all())

    def refuse(self, table: Table) -> None:
        """Refuse a risk that even a single class of all rows exceeds."""
        risks = individual_risk(np.array([table.n_rows]), np.array([weights_of(table).sum()]))
        least = float(household_risk(np.repeat(risks, table.n_rows), owners_of(table)).max(initial=0.0))
        if least > self.r + HAIR:
            raise ImpossibleGoal(f"{self} cannot hold: one class of all rows has {least:.3g}; ask for that or more.")

    def __str__(self) -> str:
        return f"household risk {self.r:g}"
