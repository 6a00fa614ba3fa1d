"""Skewness: a value is much likelier for some people than overall."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from shoal.audit.about_values import ValueAttack, text_of
from shoal.audit.adversary_view import Scene
from shoal.audit.beliefs import Beliefs
from shoal.audit.contract import Outcome, Risk
from shoal.audit.number_wording import people, percent
from shoal.audit.scorer import Referee
from shoal.core.number_texts import plain

LIKELY = 0.5
"""A value with at least this chance is considered likely to be a person's own."""

GAIN = 1.5
"""A value this many times likelier than overall counts as much likelier."""


class Skewness(ValueAttack):
    """Find the people for whom a value is likely (at least 50%) and much likelier than overall (at least 1.5 times).

    The rate is their share and the baseline 0: it is 0 if every pool has the overall distribution. Figures: the largest
    gain (β), and the largest distance between beliefs and the overall distribution with all values equally far apart
    (t).

    Stopped by: l-diversity by frequency with l above 2, since no value is then likely; t-closeness or β-likeness with
    small bounds.

    Cost: O(members of the pools).

    Reference: Li, Li and Venkatasubramanian 2007, t-Closeness: Privacy Beyond k-Anonymity and l-Diversity; Ciriani et
    al. 2007, k-Anonymity (figure 19).
    """

    name: ClassVar[str] = "skewness"
    story: ClassVar[str] = (
        "An adversary compares how often a sensitive value occurs among the records that may be a person's with how "
        "often it occurs in the whole release."
    )
    remedy: ClassVar[str] = "Ask for l-diversity by frequency with l above 2, t-closeness or β-likeness."
    stopped_by: ClassVar[tuple[tuple[str, str], ...]] = (
        ("l", "2.2:frequency"),
        ("t", "0.3"),
        ("t", "0.2"),
        ("t", "0.1"),
    )
    counts_owners: ClassVar[bool] = True

    def weigh(self, beliefs: Beliefs, scene: Scene, referee: Referee) -> Risk:
        """Compare each belief with the prior."""
        gains, sizes = beliefs.shares / beliefs.prior[beliefs.values], beliefs.people[beliefs.pools]
        telling = (beliefs.shares >= LIKELY - 1e-9) & (gains >= GAIN - 1e-9)
        hit = beliefs.largest(telling.astype(np.float64)) > 0
        n, rate = beliefs.count(hit & (beliefs.people > 0))
        most = float(gains[sizes > 0].max(initial=1.0))
        moved = np.zeros(beliefs.people.size)
        np.add.at(moved, beliefs.pools, np.maximum(0.0, beliefs.shares - beliefs.prior[beliefs.values]))
        figures = {
            "people with a likely and much likelier value": n,
            "largest gain": most - 1,
            "largest distance": float(moved[beliefs.people > 0].max(initial=0.0)),
        }
        outcome: Outcome = "falls" if n else "weak" if most >= 2 else "stopped"
        says = (
            f"Nobody has a value of {beliefs.column.name} that is both likely and much likelier than in the whole "
            f"release (at most {plain(most)} times)."
        )
        if n:
            at = int(np.argmax(np.where(telling & (sizes > 0), gains, -1.0)))
            value, whom = int(beliefs.values[at]), "records" if beliefs.whose is None else "people's records"
            says = (
                f"{n:,} of {people(beliefs.n_people)} stand out by their {beliefs.column.name}: for example, "
                f"{text_of(beliefs, value)!r} has a probability of {percent(float(beliefs.shares[at]))} for "
                f"{people(int(sizes[at]))}, compared with {percent(float(beliefs.prior[value]))} of all {whom}."
            )
        return Risk(self.name, outcome, says, rate, 0.0, about=beliefs.column.name, figures=figures)
