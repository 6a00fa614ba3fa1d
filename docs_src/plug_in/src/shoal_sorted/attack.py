"""Smallest class: an adversary who looks for the people who are easiest to find."""

from __future__ import annotations

from typing import ClassVar

from shoal.audit.adversary_view import Scene
from shoal.audit.contract import Attack, Outcome, Risk
from shoal.audit.scorer import Referee


class SmallestClass(Attack):
    """Choose a person of the smallest class, and guess one of its records. O(records)."""

    name: ClassVar[str] = "smallest-class"
    story: ClassVar[str] = "An adversary looks for the people who share their record with the fewest others."
    remedy: ClassVar[str] = "Ask for k-anonymity, or for a larger k."

    def run(self, scene: Scene, referee: Referee) -> list[Risk]:
        """It succeeds if somebody is alone in a class."""
        size = scene.smallest_class
        outcome: Outcome = "falls" if size == 1 else "stopped"
        return [Risk(self.name, outcome, f"The smallest class has {size:,} records.", 1 / size, 1 / (scene.k or 2))]
