"""The interface of attacks: the adversary's knowledge, the success rate, the baseline, and a sentence for the user."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Literal

from shoal.audit.adversary_view import Pace, Scene
from shoal.audit.scorer import Referee

Outcome = Literal["stopped", "weak", "falls", "not run"]
"""Stopped: no better than the baseline. Weak: better, but nobody is exposed. Falls: somebody is."""

NEEDS_EVERYBODY = "It needs everybody, but this audit examined a sample of people; ask for a thorough audit."


@dataclass(frozen=True)
class Risk:
    """The result of one attack on a release.

    ``rate`` is the share of people (or of what ``figures`` say) for whom it succeeds, and ``baseline`` the share for
    whom the same guess would succeed without the weakness; ``interval`` is a 95% interval of the rate if it was
    sampled. ``about`` names a column if the attack is about one. ``says`` is one or two sentences. ``columns`` are
    those to remove or recode, if that stops the attack.
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
    """An adversary with a story. Sees a ``Scene``: a publication and the adversary's knowledge, never the owners."""

    name: ClassVar[str]
    """The name in options and reports."""

    story: ClassVar[str]
    """What the adversary knows and does, in a sentence."""

    remedy: ClassVar[str]
    """What helps if the attack succeeds, in a sentence."""

    stopped_by: ClassVar[tuple[tuple[str, str], ...]] = ()
    """Privacy models that may stop it, as settings of a job file, the weakest first; empty if none does."""

    pace: ClassVar[Pace] = "quick"
    """The quickest audit that runs it."""

    counts_owners: ClassVar[bool] = False
    """Whether it counts people only if the owners of records are known; otherwise it counts rows, and says so.

    Other attacks count different people by the rows that an adversary knows.
    """

    def lacks(self, scene: Scene) -> str:
        """What the attack needs but does not have; empty if it can be run."""
        return ""

    @abstractmethod
    def run(self, scene: Scene, referee: Referee) -> list[Risk]:
        """Run the attack: one risk, or one for each sensitive column. The referee counts correct guesses."""


def needs_everybody(scene: Scene) -> str:
    """What an attack on all people lacks: complete knowledge, and a release that stems from the known people."""
    if not scene.known.is_complete:
        return NEEDS_EVERYBODY
    return "It needs a release that stems from these people." if scene.matches.n_unplaced else ""


def not_run(name: str, why: str) -> Risk:
    """A risk that was not measured, and why."""
    return Risk(name, "not run", why)
