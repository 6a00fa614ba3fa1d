"""The contract of attacks: who knows what, how well it works, compared with what, and the sentence for the user."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Literal

from shoal.audit.adversary_view import Scene
from shoal.audit.audit_depth import Pace
from shoal.audit.scorer import Referee

Outcome = Literal["stopped", "weak", "falls", "not run"]
"""Stopped: no better than the baseline. Weak: better, but nobody is exposed. Falls: somebody is."""

NEEDS_EVERYBODY = "It needs everybody, but this audit examined a sample of people; ask for a thorough audit."


@dataclass(frozen=True)
class Risk:
    """What one attack got out of a release.

    ``rate`` is the share of people (or of what ``figures`` say) for whom it succeeds and ``baseline`` the share for
    whom the same guess would succeed without the weakness; ``interval`` is a 95% interval of the rate where it was
    sampled. ``about`` names a column, where the attack is about one. ``says`` is one or two sentences. ``columns`` are
    those that would have to be removed or recoded, where that stops the attack.
    """

    attack: str
    outcome: Outcome
    says: str
    rate: float = 0.0
    baseline: float = 0.0
    interval: tuple[float, float] | None = None
    about: str = ""
    figures: Mapping[str, float] = field(default_factory=dict)
    columns: tuple[str, ...] = ()


class Attack(ABC):
    """An adversary with a story. Sees a ``Scene``: a publication and what the adversary knows, never the owners."""

    name: ClassVar[str]
    """How options and reports call it."""

    story: ClassVar[str]
    """Who knows what and does what, in a sentence."""

    remedy: ClassVar[str]
    """What helps where it succeeds, in a sentence."""

    stopped_by: ClassVar[tuple[tuple[str, str], ...]] = ()
    """Privacy models that may stop it, in the words of a job file, the weakest first; none where none does."""

    pace: ClassVar[Pace] = "quick"
    """The quickest form of an audit that runs it."""

    counts_owners: ClassVar[bool] = False
    """Whether it can count people only where it is told whose the records are; otherwise it counts rows, and says so.

    Others count different people by the rows that an adversary knows.
    """

    def lacks(self, scene: Scene) -> str:
        """What the attack would need and has not; empty where it can be run."""
        return ""

    @abstractmethod
    def run(self, scene: Scene, referee: Referee) -> list[Risk]:
        """Attack: one risk, or one for each sensitive column. The referee counts how many guesses are right."""


def not_run(name: str, why: str) -> Risk:
    """A risk nobody measured, and why not."""
    return Risk(name, "not run", why)
