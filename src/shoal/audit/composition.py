"""Composition: two releases about the same people."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from shoal.audit.adversary_view import Scene
from shoal.audit.beliefs import Beliefs
from shoal.audit.contract import NEEDS_EVERYBODY, Attack, Outcome, Risk
from shoal.audit.number_wording import people
from shoal.audit.scorer import Referee
from shoal.core.arrays import Codes, Floats


class Composition(Attack):
    """Intersect the possible values of two releases, and find whose sensitive value is certain or guessed right.

    Each release may keep its promise; what is possible by both is less. The rate is the share of people whose value is
    certain by both together, the baseline the share by the better of the two alone.

    Stopped by: no promise about single releases.

    Cost: O(people · values of a pool).

    Reference: Ganta, Kasiviswanathan and Smith 2008, Composition Attacks and Auxiliary Information in Data Privacy.
    """

    name: ClassVar[str] = "composition"
    story: ClassVar[str] = (
        "An adversary has this release and another one about some of the same people, and keeps only what is possible "
        "in both."
    )
    remedy: ClassVar[str] = "Do not publish twice about the same people: make one release that serves both purposes."

    def lacks(self, scene: Scene) -> str:
        """Requires a second release that shares a sensitive column with this one."""
        if scene.other is None:
            return "It needs a second release about some of the same people."
        if not scene.known.is_complete:
            return NEEDS_EVERYBODY
        shared = {column.name for column in scene.sensitive} & {column.name for column in scene.other_sensitive}
        return "" if shared else "It needs a sensitive column that both releases have."

    def run(self, scene: Scene, referee: Referee) -> list[Risk]:
        """Intersect the releases, column by column."""
        assert scene.other is not None
        second = Scene(scene.other, scene.known, scene.other_sensitive)
        theirs = {beliefs.column.name: beliefs for beliefs in second.beliefs}
        return [
            self._weigh(beliefs, theirs[beliefs.column.name], scene, referee)
            for beliefs in scene.beliefs
            if beliefs.column.name in theirs
        ]

    def _weigh(self, ours: Beliefs, theirs: Beliefs, scene: Scene, referee: Referee) -> Risk:
        n_values, guesses = intersect(ours, theirs)
        types, name = scene.links.types, ours.column.name
        both = (ours.pool_of >= 0) & (theirs.pool_of >= 0)
        n = max(1, referee.count(both[types]))
        alone = [b.n_values[np.maximum(b.pool_of, 0)] == 1 for b in (ours, theirs)]
        baseline = max(referee.count((both & certain)[types]) / n for certain in alone)
        n_certain = referee.count((both & (n_values == 1))[types])
        figures: dict[str, float] = {"people in both": n, "people whose value is certain": n_certain}
        if referee.knows(name):
            hits, made = referee.hits(name, np.where(both, guesses, -1)[types].astype(np.int32))
            figures["guessed right"] = hits / max(1, made)
        rate = n_certain / n
        outcome: Outcome = "falls" if rate > baseline else "stopped"
        says = f"Together the two releases make nobody's {name} certain, unless one of them alone does."
        if rate > baseline:
            says = (
                f"Together the two releases make the {name} of {n_certain:,} of {people(n)} certain; one of them alone "
                f"makes it certain for {round(baseline * n):,}."
            )
        return Risk(self.name, outcome, says, rate, baseline, about=name, figures=figures)


def intersect(ours: Beliefs, theirs: Beliefs) -> tuple[Codes, Codes]:
    """For each type, the number of values possible in both, and the likeliest; 0 and −1 if there are none."""
    n_values = ours.column.domain.n_leaves
    pairs = np.maximum(ours.pool_of, 0) * np.int64(theirs.people.size) + np.maximum(theirs.pool_of, 0)
    distinct, pair_of = np.unique(pairs, return_inverse=True)
    pools = zip(*(part.tolist() for part in np.divmod(distinct, theirs.people.size)), strict=True)
    counts, best = np.zeros(distinct.size, np.int32), np.full(distinct.size, -1, np.int32)
    prior = np.maximum(ours.prior, 1e-12)
    for i, (a, b) in enumerate(pools):
        weights = _dense(ours, a, n_values) * _dense(theirs, b, n_values) / prior
        counts[i] = np.count_nonzero(weights)
        best[i] = int(np.argmax(weights)) if counts[i] else -1
    known = (ours.pool_of >= 0) & (theirs.pool_of >= 0)
    return np.where(known, counts[pair_of], 0).astype(np.int32), np.where(known, best[pair_of], -1).astype(np.int32)


def _dense(beliefs: Beliefs, pool: int, n_values: int) -> Floats:
    shares = np.zeros(n_values)
    at = slice(beliefs.offsets[pool], beliefs.offsets[pool + 1])
    shares[beliefs.values[at]] = beliefs.shares[at]
    return shares
