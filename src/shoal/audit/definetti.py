"""deFinetti: learn across groups which values go with which people."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import ClassVar

import numpy as np

from shoal.audit.about_values import ValueAttack
from shoal.audit.adversary_view import Pace, Scene
from shoal.audit.beliefs import Beliefs
from shoal.audit.contract import NEEDS_EVERYBODY, Outcome, Risk
from shoal.audit.number_wording import percent
from shoal.audit.scorer import Referee, interval
from shoal.core.arrays import Codes, Floats, Offsets
from shoal.core.groups import Groups
from shoal.kernels.learning import expect

ROUNDS = 12
MOST_VALUES = 500


class DeFinetti(ValueAttack):
    """Guess sensitive values with a naive Bayes classifier learned from the groups themselves.

    Within a group nobody knows who has which value; across many groups it shows that people of some kind tend to be in
    groups with some value. Guesses keep the values of each group: a value that occurs twice goes to two people. The
    rate is the share of right guesses, the baseline the same without learning.

    Stopped by: no promise about groups, if people differ in what predicts the value; t-closeness does not bound it
    either.

    Cost: O(rounds · people · values of a group).

    Reference: Kifer 2009, Attacks on Privacy and deFinetti's Theorem.
    """

    name: ClassVar[str] = "definetti"
    story: ClassVar[str] = (
        "An adversary who knows everybody's quasi-identifiers learns from all groups together which people tend to "
        "have which value, and guesses accordingly within each group."
    )
    remedy: ClassVar[str] = "No promise about groups stops it; publish fewer or coarser quasi-identifiers."
    pace: ClassVar[Pace] = "usual"

    def lacks(self, scene: Scene) -> str:
        """Requires a sensitive column with not too many values, and complete knowledge to count correct guesses."""
        if scene.sensitive and not scene.known.is_complete:
            return NEEDS_EVERYBODY
        few = any(column.domain.n_leaves <= MOST_VALUES for column in scene.sensitive)
        return super().lacks(scene) or ("" if few else f"It needs a sensitive column of at most {MOST_VALUES} values.")

    def about(self, beliefs: Sequence[Beliefs]) -> Sequence[Beliefs]:
        """Beliefs about columns with not too many values."""
        return [one for one in beliefs if one.column.domain.n_leaves <= MOST_VALUES]

    def weigh(self, beliefs: Beliefs, scene: Scene, referee: Referee) -> Risk:
        """Learn, guess, and count."""
        guesses, sure = learned(beliefs, scene)
        name, pools, around = beliefs.column.name, beliefs.pool_of[scene.links.types], None
        total, n = referee.total(sure[scene.links.types], pools >= 0)
        plainly, _ = referee.total(np.append(beliefs.surest, 0.0)[pools], pools >= 0)
        rate, baseline = total / max(1, n), plainly / max(1, n)
        if referee.knows(name):
            hits, n = referee.hits(name, guesses[scene.links.types])
            plain, _ = referee.hits(name, beliefs.guesses[scene.links.types])
            rate, baseline, around = hits / max(1, n), plain / max(1, n), interval(hits, n)
        margin = 2.5 * np.sqrt(0.5 / max(1, n))
        outcome: Outcome = "stopped" if rate <= baseline + margin else "weak" if rate < 0.9 else "falls"
        says = (
            f"A classifier trained on the release guesses the {name} of {percent(rate)} of people; the records of each "
            f"group alone allow {percent(baseline)}."
        )
        if not referee.knows(name):
            says += " (This is an estimate, because the original does not have that column.)"
        return Risk(self.name, outcome, says, rate, baseline, around, name, {"guesses": n})


def learned(beliefs: Beliefs, scene: Scene) -> tuple[Codes, Floats]:
    """The likeliest value of each type, −1 for people who cannot be in the release, and its probability."""
    known, links = scene.known, scene.links
    codes = np.ascontiguousarray(known.codes[:, known.types.firsts])
    widths = [column.domain.n_leaves for column in known.quasi]
    code_at = np.concatenate([[0], np.cumsum(widths)]).astype(np.int64)
    n_pools = beliefs.people.size
    pools = Groups.from_ids(np.where(beliefs.pool_of >= 0, beliefs.pool_of, n_pools), n_pools + 1)
    logs = np.zeros((int(code_at[-1]), beliefs.column.domain.n_leaves))
    best, sure = np.full(links.n_types, -1, np.int32), np.zeros(links.n_types)
    people = links.people.astype(np.float64)
    for _ in range(ROUNDS):
        sums = np.zeros_like(logs)
        expect(
            pools.offsets, pools.members, people, codes, code_at, logs,
            beliefs.offsets, beliefs.values, beliefs.shares, 8, sums, best, sure,
        )  # fmt: skip
        logs = _likelihoods(sums, code_at)
    return best, sure


def _likelihoods(sums: Floats, code_at: Offsets) -> Floats:
    """Log shares of each column's codes among people with each value, smoothed by one person spread over all codes."""
    logs = np.empty_like(sums)
    for first, last in pairwise(code_at):
        part = sums[first:last] + 1.0 / (last - first)
        logs[first:last] = np.log(part / part.sum(axis=0))
    return logs
