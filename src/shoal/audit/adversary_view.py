"""What an attack sees, and what attacks share: links, matches and their chances are computed once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, Protocol

import numpy as np

from shoal.audit.beliefs import Beliefs
from shoal.audit.chances import FEW_EDGES, MOST_STATES, Chances
from shoal.audit.knowledge import Carried, Knowledge, Others, Pseudonymized, Shifted
from shoal.audit.links import Links, WhoFits, shape_numbers
from shoal.audit.matches import Matches
from shoal.audit.quick_fits import Fits
from shoal.core.arrays import Codes, Flags, Floats
from shoal.core.randomness import Randomness
from shoal.core.release import Publication
from shoal.core.table import SensitiveColumn

Pace = Literal["quick", "usual", "thorough"]
"""Quick: after every anonymization, a second or two. Usual: on request. Thorough: also attacks that take minutes."""


@dataclass(frozen=True, eq=False)
class Scene:
    """A publication and an adversary's knowledge. It holds neither owners nor people's sensitive values.

    ``sensitive`` holds the coded sensitive columns of the records. ``k`` is the promised k, if any. ``other`` is a
    second publication about some of the same people, with its sensitive columns in the same domains; ``carried`` is
    what was found in the file around the records, ``others`` in columns without a recoding, ``pseudonymized`` and
    ``shifted`` by trying to undo the preparation of some of these. ``means`` maps the position of a quasi-identifier to
    its printed numbers if some of these match nobody. ``rerun`` is the algorithm, for an adversary who knows it.
    ``drawn_from``, if verified, is the number of assignments without a common match from which the published one was
    drawn. For each column, ``ends`` flags the distinct cells whose outermost values are printed. ``pace`` limits the
    time to spend.
    """

    seen: Publication
    known: Knowledge
    sensitive: tuple[SensitiveColumn, ...] = ()
    k: int | None = None
    other: Publication | None = None
    other_sensitive: tuple[SensitiveColumn, ...] = ()
    carried: Carried | None = None
    others: Others | None = None
    pseudonymized: tuple[Pseudonymized, ...] = ()
    shifted: Shifted | None = None
    means: Mapping[int, Floats] = field(default_factory=dict)
    rerun: Rerun | None = None
    drawn_from: int | None = None
    ends: tuple[Flags, ...] = ()
    pace: Pace = "usual"
    randomness: Randomness = field(default_factory=Randomness)

    @property
    def is_thorough(self) -> bool:
        """Whether minutes of computation and larger samples are allowed."""
        return self.pace == "thorough"

    @cached_property
    def smallest_class(self) -> int:
        """The size of the smallest equivalence class."""
        return int(np.bincount(shape_numbers(self.seen)).min())

    @property
    def is_shared(self) -> bool:
        """Whether every equivalence class has the promised size, or at least two records."""
        return self.smallest_class >= max(2, self.k or 2)

    @property
    def shows_pools(self) -> bool:
        """Whether everybody's value is one of a visible class or bucket."""
        return self.is_shared and (self.seen.pools_are_classes or self.seen.buckets is not None)

    @property
    def is_plain(self) -> bool:
        """Whether a quick audit knows without solving the matching how well people are hidden: see ``class_risks``."""
        is_drawn = self.drawn_from is not None and self.seen.buckets is None
        return self.pace == "quick" and (self.shows_pools or is_drawn)

    @property
    def links(self) -> WhoFits:
        """Who fits which record."""
        return self.fits if self.is_plain else self.joined

    @cached_property
    def fits(self) -> Fits:
        """Who fits which record, pair by pair; for few people or few records."""
        return Fits.of(self.seen, self.known)

    @cached_property
    def joined(self) -> Links:
        """Who fits which record, as boxes over a tree; for any number of people."""
        return Links.of(self.seen, self.known)

    @cached_property
    def matches(self) -> Matches:
        """The links that complete assignments use."""
        return Matches.of(self.joined)

    @cached_property
    def chances(self) -> Chances:
        """The chance of each match; meaningless if the release does not stem from these people."""
        if self.is_thorough:
            return Chances.of(self.matches, MOST_STATES << 6)
        return Chances.of(self.matches, most_edges=FEW_EDGES, close=1e-4)

    @cached_property
    def beliefs(self) -> tuple[Beliefs, ...]:
        """Beliefs about everybody's value of each sensitive column."""
        buckets = self.seen.buckets
        if self.is_plain and self.shows_pools:
            return tuple(Beliefs.of_classes(column, self.fits, buckets) for column in self.sensitive)
        if self.is_plain:
            return tuple(Beliefs.of_fits(column, self.fits) for column in self.sensitive)
        chances = self.chances if self.known.is_complete and not self.matches.n_unplaced else None
        return tuple(Beliefs.of(column, self.joined, chances, buckets) for column in self.sensitive)

    @property
    def names(self) -> list[str]:
        """The quasi-identifiers."""
        return [column.name for column in self.seen.quasi]


class Rerun(Protocol):
    """The algorithm and its goal, ready to run on people that the adversary knows or imagines."""

    reads_values: bool
    """Whether the goal considers sensitive values, so that cells depend on them."""

    def shapes(self) -> Codes:
        """The shape of each person's record in the adversary's own run, numbered as in the release; −1 for none."""

    def agrees(self, values: Sequence[Codes]) -> bool:
        """Whether the algorithm would have published exactly this release if people had these sensitive values."""
