"""What k-Optimize found."""

from __future__ import annotations

from dataclasses import dataclass

from shoal.core.release import Release


@dataclass(frozen=True, eq=False)
class Recoded:
    """The best recoding found.

    It costs ``score``, and no recoding less than ``lower_bound``; ``is_optimal`` where these are the same. Of 2 to the
    ``n_items`` sets ``n_visited`` were looked at.
    """

    release: Release
    score: float
    lower_bound: float
    is_optimal: bool
    n_items: int
    n_visited: int

    @property
    def gap(self) -> float:
        """How much less than ``score`` another recoding might cost at most."""
        return self.score - self.lower_bound
