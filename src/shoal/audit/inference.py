"""Inference: guess everybody's sensitive value."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from shoal.audit.about_values import ValueAttack
from shoal.audit.adversary_view import Scene
from shoal.audit.beliefs import Beliefs
from shoal.audit.contract import Outcome, Risk
from shoal.audit.number_wording import people, percent
from shoal.audit.scorer import Referee

SURE = 0.9
"""A guess with at least this chance counts as sure."""


class Inference(ValueAttack):
    """Count the sensitive values that are guessed right by naming the likeliest one for each person.

    The rate is measured if the original has the column, otherwise it is the expected one; the baseline is naming the
    commonest value for everybody. Not every inference is a breach: what a release teaches about the world also holds
    for people outside it.

    Stopped by: frequency l-diversity of the pools, which limits it to 1 / l for each person.

    Cost: O(members of the pools).

    Reference: Wong, Li, Fu and Wang 2006, (α, k)-Anonymity: An Enhanced k-Anonymity Model for Privacy-Preserving Data
    Publishing (attribute disclosure by confidence).
    """

    name: ClassVar[str] = "inference"
    story: ClassVar[str] = (
        "An adversary weights each record that may be a person's by its probability and guesses the likeliest "
        "sensitive value."
    )
    remedy: ClassVar[str] = "Ask for frequency l-diversity, which bounds the chance of every guess by 1 in l."
    stopped_by: ClassVar[tuple[tuple[str, str], ...]] = (
        ("l", "2:frequency"),
        ("l", "3:frequency"),
        ("l", "5:frequency"),
    )
    counts_owners: ClassVar[bool] = True

    def weigh(self, beliefs: Beliefs, scene: Scene, referee: Referee) -> Risk:
        """Guess, and count."""
        name = beliefs.column.name
        rate = float(beliefs.surest @ beliefs.people) / max(1, int(beliefs.people.sum()))
        baseline = float(beliefs.prior.max(initial=0.0))
        margin = 2 * np.sqrt(0.25 / max(1, beliefs.n_people))
        if beliefs.whose is None and referee.knows(name) and not scene.is_plain:
            hits, n = referee.hits(name, beliefs.guesses[scene.links.types])
            rate = hits / max(1, n)
            common = np.full(scene.known.n_people, int(np.argmax(beliefs.prior)), np.int32)
            common[beliefs.guesses[scene.links.types] < 0] = -1
            baseline = referee.hits(name, common)[0] / max(1, n)
        sure, _ = beliefs.count((beliefs.surest >= SURE) & (beliefs.people > 0))
        figures = {
            "people whose value is at least 90% sure": sure,
            "surest guess": float(beliefs.surest[beliefs.people > 0].max(initial=0.0)),
        }
        outcome: Outcome = "stopped"
        if rate > baseline + margin:
            outcome = "falls" if sure and baseline < SURE else "weak"
        says = (
            f"Guessing each person's likeliest {name} is right for {percent(rate)} of people; guessing the most "
            f"common one for everybody is right for {percent(baseline)}."
        )
        if sure and baseline < SURE:
            says += f" For {people(sure)} the guess is at least 90% sure."
        return Risk(self.name, outcome, says, rate, baseline, about=name, figures=figures)
