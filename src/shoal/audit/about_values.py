"""What the attacks on sensitive values share."""

from __future__ import annotations

from abc import abstractmethod

import numpy as np

from shoal.audit.beliefs import Beliefs
from shoal.audit.contract import Attack, Risk
from shoal.audit.referee import Referee
from shoal.audit.scene import Scene
from shoal.core.arrays import Flags, Offsets


class ValueAttack(Attack):
    """An attack on each sensitive column by itself, from what is believed about each person."""

    def lacks(self, scene: Scene) -> str:
        """A sensitive column."""
        return "" if scene.sensitive else "It needs a sensitive column; none was named."

    def run(self, scene: Scene, referee: Referee) -> list[Risk]:
        """One risk for each sensitive column."""
        return [self.weigh(beliefs, scene, referee) for beliefs in scene.beliefs]

    @abstractmethod
    def weigh(self, beliefs: Beliefs, scene: Scene, referee: Referee) -> Risk:
        """The risk of one column."""


def share_of(people: Offsets, wanted: Flags) -> tuple[int, float]:
    """How many people are in the wanted pools, and which share of all that is."""
    n = int(people[wanted].sum())
    return n, n / max(1, int(people.sum()))


def text_of(beliefs: Beliefs, value: int) -> str:
    """A sensitive value as it is printed, cut where it is long."""
    text = beliefs.column.domain.texts[value]
    return text if len(text) <= 40 else text[:39] + "…"


def largest_pool(beliefs: Beliefs, wanted: Flags) -> int:
    """The wanted pool with the most people."""
    return int(np.argmax(np.where(wanted, beliefs.people, -1)))
