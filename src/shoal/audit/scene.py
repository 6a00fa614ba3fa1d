"""What an attack sees, and what attacks share: the links, the matches and their chances are worked out once."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from shoal.audit.beliefs import Beliefs
from shoal.audit.carried import Carried
from shoal.audit.chances import FEW_EDGES, MOST_STATES, Chances
from shoal.audit.knowledge import Knowledge
from shoal.audit.links import Links
from shoal.audit.matches import Matches
from shoal.audit.rerun import Rerun
from shoal.core.randomness import Randomness
from shoal.core.release import Publication
from shoal.core.table import SensitiveColumn


@dataclass(frozen=True, eq=False)
class Scene:
    """A publication and an adversary's knowledge. There is no place for owners here, nor for people's sensitive values.

    ``sensitive`` holds the sensitive columns of the records, coded. ``k`` is what was promised, if anything was.
    ``other`` is a second publication about some of the same people, with its sensitive columns in the same domains;
    ``carried`` what was found in the file around the records; ``rerun`` the algorithm, for whoever knows it.
    ``drawn_from`` says, where it was verified, that the published assignment was drawn from so many that share no
    match. ``is_thorough`` allows minutes and larger samples.
    """

    seen: Publication
    known: Knowledge
    sensitive: tuple[SensitiveColumn, ...] = ()
    k: int | None = None
    other: Publication | None = None
    other_sensitive: tuple[SensitiveColumn, ...] = ()
    carried: Carried | None = None
    rerun: Rerun | None = None
    drawn_from: int | None = None
    is_thorough: bool = False
    randomness: Randomness = field(default_factory=Randomness)

    @cached_property
    def links(self) -> Links:
        """Who fits what."""
        return Links.of(self.seen, self.known)

    @cached_property
    def matches(self) -> Matches:
        """The links that complete assignments use."""
        return Matches.of(self.links)

    @cached_property
    def chances(self) -> Chances:
        """How likely each match is; of no use where the release does not stem from these people."""
        if self.is_thorough:
            return Chances.of(self.matches, MOST_STATES << 6)
        return Chances.of(self.matches, most_edges=FEW_EDGES, close=1e-4)

    @cached_property
    def beliefs(self) -> tuple[Beliefs, ...]:
        """What follows about everybody's value of each sensitive column."""
        is_weighed = self.known.is_complete and not self.matches.n_unplaced
        chances = self.chances if is_weighed else None
        return tuple(Beliefs.of(column, self.links, chances, self.seen.buckets) for column in self.sensitive)

    @property
    def names(self) -> list[str]:
        """The quasi-identifiers."""
        return [column.name for column in self.seen.quasi]
