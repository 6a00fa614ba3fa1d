"""Common parts of the attacks on sensitive values."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from shoal.audit.adversary_view import Scene
from shoal.audit.beliefs import Beliefs
from shoal.audit.contract import Attack, Risk
from shoal.audit.scorer import Referee, interval
from shoal.core.arrays import Flags


class ValueAttack(Attack):
    """An attack on each sensitive column separately, based on the beliefs about each person.

    If it ``counts_owners``, it only considers pools: if people may have several rows, it then uses shares of people.
    Other attacks consider every row that an adversary may know, and the referee counts people.
    """

    def lacks(self, scene: Scene) -> str:
        """Requires a sensitive column."""
        return "" if scene.sensitive else "It needs a sensitive column; none was named."

    def run(self, scene: Scene, referee: Referee) -> list[Risk]:
        """Return one risk for each sensitive column."""
        whose = referee.counted
        if self.counts_owners and whose is not None:
            theirs = self.about([Beliefs.of_people(column, whose) for column in whose.values.values()])
            return [self.weigh(beliefs, scene, referee) for beliefs in theirs]
        found = self.about(scene.beliefs)
        return [_of_sample(self.weigh(beliefs, scene, referee), beliefs, scene) for beliefs in found]

    def about(self, beliefs: Sequence[Beliefs]) -> Sequence[Beliefs]:
        """The beliefs about columns on which the attack can be run."""
        return beliefs

    @abstractmethod
    def weigh(self, beliefs: Beliefs, scene: Scene, referee: Referee) -> Risk:
        """The risk of one column."""


def _of_sample(risk: Risk, beliefs: Beliefs, scene: Scene) -> Risk:
    """If the risk was measured on a sample of people, say so and add an interval; classes are always seen whole."""
    if scene.known.is_complete or scene.is_plain:
        return risk
    n = beliefs.n_people
    says = f"{risk.says} (Of {scene.known.sample_said}.)"
    return replace(risk, says=says, interval=risk.interval or interval(round(risk.rate * n), n))


def text_of(beliefs: Beliefs, value: int) -> str:
    """A sensitive value as printed, truncated if it is long."""
    text = beliefs.column.domain.texts[value]
    return text if len(text) <= 40 else text[:39] + "…"


def largest_pool(beliefs: Beliefs, wanted: Flags) -> int:
    """The wanted pool with the most people."""
    return int(np.argmax(np.where(wanted, beliefs.people, -1)))
