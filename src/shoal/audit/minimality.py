"""Minimality: in which worlds would the algorithm have published exactly this release?"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from shoal.audit.adversary_view import Pace, Scene
from shoal.audit.contract import NEEDS_EVERYBODY, Attack, Outcome, Risk
from shoal.audit.number_wording import people, percent
from shoal.audit.scorer import Referee
from shoal.core.arrays import Codes, Floats
from shoal.core.parameters import real_number, whole_number
from shoal.core.randomness import Randomness
from shoal.kernels.compiled import working_time

MOST_PEOPLE = 2_000

LEAST, ENOUGH = 5, 60
"""Number of worlds that lead to the release: fewer are inconclusive, this many are enough."""


@dataclass(frozen=True)
class Minimality(Attack):
    """Draw worlds that fit the release, and keep those in which the algorithm would have published it.

    A world gives everybody the sensitive values of a record that may be theirs. An algorithm that generalizes no more
    than diversity requires reveals where it was required: only some of the worlds that fit would have led to this
    release. Beliefs are the shares among those. The rate is the share of people whose value the likeliest guess gets
    right, the baseline the same if all worlds count. Drawing ends after ``worlds`` worlds, or after ``seconds`` if the
    algorithm itself takes long.

    Stopped by: promises that ignore sensitive values, or generalizing more than they require.

    Cost: one run of the algorithm per world.

    Reference: Wong, Fu, Wang and Pei 2007, Minimality Attack in Privacy Preserving Data Publishing; Tassa, Mazza and
    Gionis 2012, k-Concealment: An Alternative Model of k-Type Anonymity (section 7).
    """

    worlds: int = 400
    seconds: float = 60.0

    name: ClassVar[str] = "minimality"
    story: ClassVar[str] = (
        "An adversary who knows everybody's quasi-identifiers and the algorithm imagines who might have which "
        "sensitive value, runs the algorithm on each such world, and keeps those that lead to the release."
    )
    remedy: ClassVar[str] = "Ask for promises that ignore sensitive values, or generalize more than they require."
    pace: ClassVar[Pace] = "thorough"

    def __post_init__(self) -> None:
        object.__setattr__(self, "worlds", whole_number("worlds", self.worlds, least=10))
        object.__setattr__(self, "seconds", real_number("seconds", self.seconds, least=0))

    def lacks(self, scene: Scene) -> str:
        """Requires the algorithm, sensitive values that influence it, and few enough people to run it many times."""
        if not scene.known.is_complete:
            return NEEDS_EVERYBODY
        if scene.rerun is None:
            return "It needs to know the algorithm; audit the result of an anonymization to run it."
        if not scene.rerun.reads_values:
            return "The cells do not depend on sensitive values, so there is nothing to learn from them."
        if scene.matches.n_unplaced:
            return "It needs a release that stems from these people."
        most = f"It runs the algorithm up to {self.worlds:,} times; audit at most {MOST_PEOPLE:,} people."
        return most if scene.known.n_people > MOST_PEOPLE else ""

    def run(self, scene: Scene, referee: Referee) -> list[Risk]:
        """Draw worlds, run the algorithm, keep those that lead to the release, and count."""
        assert scene.rerun is not None
        randomness = scene.randomness.child("minimality")
        all_, kept, end = _Votes(scene), _Votes(scene), working_time() + self.seconds
        while all_.n_worlds < self.worlds and kept.n_worlds < ENOUGH and (working_time() < end or not all_.n_worlds):
            values = _world(scene, randomness)
            all_.add(values)
            if scene.rerun.agrees(values):
                kept.add(values)
        figures = {"worlds": all_.n_worlds, "worlds kept": kept.n_worlds}
        if kept.n_worlds < LEAST:
            worlds = "world leads" if all_.n_worlds == 1 else "worlds lead"
            why = f"Only {kept.n_worlds} of {all_.n_worlds:,} imagined {worlds} to this release: too few to learn from."
            return [Risk(self.name, "not run", why, figures=figures)]
        risks = [self._weigh(i, scene, referee, kept, all_) for i in range(len(scene.sensitive))]
        return [replace(risk, figures={**figures, **risk.figures}) for risk in risks]

    def _weigh(self, i: int, scene: Scene, referee: Referee, kept: _Votes, all_: _Votes) -> Risk:
        column, n, n_kept = scene.sensitive[i], scene.known.n_different, kept.n_worlds
        guesses, sure = kept.guesses(i)
        plain, usual = all_.guesses(i)
        everybody = np.ones(sure.size, bool)
        rate, baseline = (referee.total(chances, everybody)[0] / n for chances in (sure, usual))
        if referee.knows(column.name):
            rate, baseline = (referee.hits(column.name, g)[0] / n for g in (guesses, plain))
        by_chance = all_.shares(i, guesses) ** n_kept
        certain = referee.count((sure > 1 - 1e-9) & (by_chance < 0.01 / sure.size))
        margin = 3 * (0.25 / n + 0.25 / n_kept) ** 0.5
        outcome: Outcome = "falls" if certain and rate > baseline else "weak" if rate > baseline + margin else "stopped"
        says = (
            f"{n_kept} of {all_.n_worlds:,} imagined worlds lead to this release; guessing {column.name} by them is "
            f"right for {percent(rate)} of people, by all worlds for {percent(baseline)}."
        )
        if certain and outcome == "falls":
            says += f" The value of {people(certain)} is the same in all of them."
        figures = {"people with the same value in all": certain}
        return Risk(self.name, outcome, says, rate, baseline, about=column.name, figures=figures)


class _Votes:
    """How often each person had each value in some worlds."""

    def __init__(self, scene: Scene) -> None:
        n = scene.known.n_people
        self.n_worlds = 0
        self._counts = [np.zeros((n, column.domain.n_leaves)) for column in scene.sensitive]

    def add(self, values: list[Codes]) -> None:
        """Add one world."""
        self.n_worlds += 1
        for counts, codes in zip(self._counts, values, strict=True):
            given = np.flatnonzero(codes >= 0)
            counts[given, codes[given]] += 1

    def guesses(self, column: int) -> tuple[Codes, Floats]:
        """The commonest value of each person, −1 for people who never had one, and its share."""
        counts = self._counts[column]
        totals = counts.sum(axis=1)
        best = np.where(totals > 0, counts.argmax(axis=1), -1).astype(np.int32)
        return best, counts.max(axis=1) / np.maximum(1, totals)

    def shares(self, column: int, values: Codes) -> Floats:
        """How often each person had a given value, as a share of the worlds in which they had one."""
        counts = self._counts[column]
        given = counts[np.arange(values.size), np.maximum(values, 0)]
        return np.asarray(given / np.maximum(1, counts.sum(axis=1)))


def _world(scene: Scene, randomness: Randomness) -> list[Codes]:
    """Everybody's sensitive values under a random complete assignment.

    In complete components every assignment is possible, so the records of a component are shuffled; in the others,
    people keep the shape they have in one complete assignment. People without a record have no value.
    """
    matches, links, n = scene.matches, scene.links, scene.known.n_people
    shape_of = np.empty(n, np.int32)
    shape_of[np.argsort(links.types, kind="stable")] = matches.assigned
    of_shape, n_hidden = matches.of_shape, n - links.shapes.size
    part_of_shape = np.where(
        matches.is_complete[of_shape], of_shape, matches.n_components + np.arange(of_shape.size, dtype=np.int32)
    )
    record_part = np.append(part_of_shape[links.shapes], np.full(n_hidden, part_of_shape[-1]))
    records = np.append(np.arange(links.shapes.size, dtype=np.int32), np.full(n_hidden, -1, np.int32))
    people_order = _shuffled_by(part_of_shape[shape_of], randomness.permutation(n))
    owned = np.empty(n, np.int32)
    owned[people_order] = records[_shuffled_by(record_part, randomness.permutation(n))]
    return [np.where(owned >= 0, column.codes[owned], -1).astype(np.int32) for column in scene.sensitive]


def _shuffled_by(parts: Codes, order: Codes) -> Codes:
    """Order by part, at random within each part."""
    return order[np.argsort(parts[order], kind="stable")]
