"""Homogeneity: all records that may be a person's say the same."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from shoal.audit.about_values import ValueAttack, largest_pool, text_of
from shoal.audit.adversary_view import Scene
from shoal.audit.beliefs import Beliefs
from shoal.audit.contract import Outcome, Risk
from shoal.audit.links import fewest
from shoal.audit.number_wording import people
from shoal.audit.scorer import Referee


class Homogeneity(ValueAttack):
    """Find the people whose sensitive value is certain.

    The rate is their share; the baseline is 0, or 1 if the whole column has one value.

    Stopped by: 2-diversity of the pools.

    Cost: O(members of the pools).

    Reference: Machanavajjhala, Gehrke, Kifer and Venkitasubramaniam 2006, l-Diversity: Privacy Beyond k-Anonymity;
    Ciriani et al. 2007, k-Anonymity (figure 18).
    """

    name: ClassVar[str] = "homogeneity"
    story: ClassVar[str] = (
        "An adversary finds all records that may be a person's. If they agree on the sensitive value, it does not "
        "matter which of them is the person's."
    )
    remedy: ClassVar[str] = "Ask for l-diversity of at least 2."
    stopped_by: ClassVar[tuple[tuple[str, str], ...]] = (("l", "2"), ("l", "3"), ("l", "4"))
    counts_owners: ClassVar[bool] = True

    def weigh(self, beliefs: Beliefs, scene: Scene, referee: Referee) -> Risk:
        """Count people with one possible value."""
        certain = (beliefs.n_values == 1) & (beliefs.people > 0)
        n, rate = beliefs.count(certain)
        baseline = float((beliefs.prior > 0).sum() == 1)
        name = beliefs.column.name
        least = fewest(np.where(beliefs.people > 0, beliefs.n_values, 0))
        says = f"Nobody's {name} is certain: everybody keeps at least {least} possible values."
        if n:
            pool = largest_pool(beliefs, certain)
            own = slice(beliefs.offsets[pool], beliefs.offsets[pool + 1])
            value = text_of(beliefs, int(beliefs.values[own][np.argmax(beliefs.shares[own])]))
            says = f"The {name} of {n:,} of {people(beliefs.n_people)} is certain, {value!r} for instance"
            why = "all records that may be theirs agree" if beliefs.whose is None else "all of their class have had it"
            says += f" for {people(int(beliefs.people[pool]))}: {why}."
        outcome: Outcome = "falls" if n and not baseline else "stopped"
        figures = {"people whose value is certain": n, "fewest possible values": least}
        return Risk(self.name, outcome, says, rate, baseline, about=name, figures=figures)
