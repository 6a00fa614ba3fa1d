"""Corruption: some people reveal their records to the adversary."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from shoal.audit.adversary_view import Pace, Scene
from shoal.audit.chances import sampled
from shoal.audit.class_risks import corruption_of_people
from shoal.audit.contract import Attack, Outcome, Risk, needs_everybody
from shoal.audit.links import fewest
from shoal.audit.matches import Matches
from shoal.audit.number_wording import counted, people, percent
from shoal.audit.scorer import Referee
from shoal.core.arrays import Codes, Offsets
from shoal.core.parameters import whole_number
from shoal.core.randomness import Randomness


@dataclass(frozen=True)
class Corruption(Attack):
    """Measure what follows for everybody else if ``corrupted`` people of one component reveal their records.

    The people are drawn at random, and so is a complete assignment that says which records are theirs, so no owner has
    to be known. Then the others' matches are computed again. The rate is the mean share of others in the same component
    who are left with one match; the baseline is the share who had one before. If everybody has k matches in a complete
    component, or in a ring, at least k − corrupted are left. If people are counted, nothing is drawn: see
    ``class_risks``.

    Stopped by: a larger k.

    Cost: the matches of one component again, for each draw.

    Reference: Wong, Mamoulis and Cheung 2010, Non-Homogeneous Generalization in Privacy Preserving Data Publishing
    (section 5.2); Tao, Xiao, Li and Zhang 2008, On Anti-Corruption Privacy Preserving Publication.
    """

    corrupted: int = 1
    trials: int = 20

    name: ClassVar[str] = "corruption"
    story: ClassVar[str] = (
        "An adversary who knows everybody in the table also knows which record belongs to a few of them, their own for "
        "instance, and eliminates those."
    )
    counts_owners: ClassVar[bool] = True
    remedy: ClassVar[str] = (
        "Ask for a larger k: if classes are complete, c people who reveal their records leave k − c."
    )
    stopped_by: ClassVar[tuple[tuple[str, str], ...]] = (("k", "5"), ("k", "10"), ("k", "20"))
    pace: ClassVar[Pace] = "thorough"

    def __post_init__(self) -> None:
        object.__setattr__(self, "corrupted", whole_number("corrupted", self.corrupted, least=1))
        object.__setattr__(self, "trials", whole_number("trials", self.trials, least=2))

    def lacks(self, scene: Scene) -> str:
        """Requires a release that stems from the known people, and more people than are corrupted."""
        few = "" if scene.known.n_people > self.corrupted else "It needs more people than reveal their records."
        return needs_everybody(scene) or few

    def run(self, scene: Scene, referee: Referee) -> list[Risk]:
        """Corrupt people, remove their records and count matches; repeatedly."""
        if referee.counted is not None:
            return [corruption_of_people(scene, referee.counted, self.corrupted)]
        slots = _random_assignment(scene)
        before = scene.matches.links.records_fitting
        pinned = before == 1
        baseline = float(scene.links.people[pinned].sum() / max(1, scene.known.n_people))
        words = scene.randomness.child("corruption")
        trials = [self._trial(scene, slots, before, words) for _ in range(self.trials)]
        rates, n_left, n_found = map(np.array, zip(*trials, strict=True))
        half = 2.1 * float(rates.std(ddof=1) / np.sqrt(rates.size))
        rate, least, most, least_before = float(rates.mean()), int(n_left.min()), int(n_found.max()), fewest(before, 1)
        wanted = max(1, (scene.k or least_before) - self.corrupted)
        figures = {
            "fewest matches left": least,
            "fewest matches before": least_before,
            "others found, at most": most,
            "trials": self.trials,
        }
        exposes = rate > baseline and least <= 1 < wanted
        outcome: Outcome = "falls" if exposes else "weak" if least < wanted else "stopped"
        known = "1 person's record is" if self.corrupted == 1 else f"the records of {self.corrupted} people are"
        says = (
            f"When {known} known, everybody else keeps at least {counted(least, 'possible record')} in {self.trials} "
            "trials."
        )
        if most:
            says = (
                f"When {known} known, up to {people(most)} can be found with certainty who could not be before "
                f"({percent(rate)} of those concerned on average)."
            )
        return [Risk(self.name, outcome, says, rate, baseline, (rate - half, rate + half), figures=figures)]

    def _trial(self, scene: Scene, slots: Codes, before: Offsets, words: Randomness) -> tuple[float, int, int]:
        """The share of others in the component with one match left, the fewest matches left, and how many are new."""
        links, matches = scene.joined, scene.matches
        types = np.repeat(np.arange(links.n_types), links.people)
        first = int(words.integers(types.size, 1)[0])
        inside = np.flatnonzero(matches.of_type[types] == matches.of_type[types[first]])
        chosen = inside[words.permutation(inside.size)[: self.corrupted]]
        people, records = links.people.copy(), links.records.copy()
        np.subtract.at(people, types[chosen], 1)
        shown = slots[chosen]
        np.subtract.at(records, shown[shown < links.n_shapes], 1)
        after = Matches.of(replace(links, people=people, records=records)).links.records_fitting
        there = (matches.of_type == matches.of_type[types[first]]) & (people > 0) & (after > 0)
        alone = there & (after == 1)
        share = float(people[alone].sum() / max(1, people[there].sum()))
        new = int(people[alone & (before > 1)].sum())
        return share, int(after[there].min(initial=before.max(initial=1))), new


def _random_assignment(scene: Scene) -> Codes:
    """The shape of everybody's record in a random complete assignment; people ordered by type."""
    matches, chances = scene.matches, scene.chances
    if chances.edges is None:
        return matches.assigned
    edges = chances.edges
    owner = edges.owners(matches)
    sampled(chances, 10, scene.randomness.child("assignment"), owner)
    slots = matches.assigned.copy()
    places = matches.slots(np.arange(slots.size, dtype=np.int32), edges.types)
    slots[places[owner]] = np.repeat(np.arange(edges.records.size), edges.records)
    return slots
