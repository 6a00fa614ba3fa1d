"""Run the published algorithm again: what an adversary can do who knows it, but not its random key."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from shoal.core.arrays import Codes


class Rerun(Protocol):
    """The algorithm and its goal, ready to be run on people that the adversary knows or imagines."""

    reads_values: bool
    """Whether the goal looks at sensitive values, so that cells depend on them."""

    def shapes(self) -> Codes:
        """The shape of each person's record in a run of the adversary's own, numbered as the release; −1 for none."""

    def agrees(self, values: Sequence[Codes]) -> bool:
        """Whether the algorithm would have published just this release if people had these sensitive values."""
