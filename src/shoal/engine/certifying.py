"""Say how far from the best possible a release is."""

from __future__ import annotations

from dataclasses import dataclass

from shoal.algorithms.floor import Floor, find_floor, require_certifiable
from shoal.core.contracts import Goal
from shoal.core.progress import Progress
from shoal.core.randomness import Randomness
from shoal.core.release import Release
from shoal.core.table import Table
from shoal.engine.choice import seconds_of
from shoal.errors import InputError

SECONDS = 60.0
"""What a certificate may take where no time is given."""


@dataclass(frozen=True)
class Certification:
    """Whether a floor is wanted, and how long may be looked for it."""

    seconds: float | None

    @classmethod
    def asked(cls, certify: bool | str | float, table: Table, goal: Goal) -> Certification:
        """From what the caller said; refuses at once what cannot be certified.

        Raises:
            InputError: the metric, the promises or the size of the lattice do not allow it.
        """
        if certify is False:
            return cls(None)
        seconds = seconds_of(SECONDS if certify is True else certify) or 0.0
        require_certifiable(table, goal, seconds)
        return cls(seconds)

    def floor(self, release: Release, goal: Goal, randomness: Randomness, progress: Progress) -> Floor | None:
        """The floor, where it is wanted.

        Raises:
            InputError: the release keeps its quasi-identifiers as they are.
        """
        if self.seconds is None:
            return None
        if release.buckets is not None:
            raise InputError("There is nothing to certify: quasi-identifiers are published as they are.")
        return find_floor(release, goal, randomness, progress, self.seconds)
