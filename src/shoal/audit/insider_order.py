"""Insider order: the records are in the order of the original."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from shoal.audit.about_values import ValueAttack
from shoal.audit.adversary_view import Scene
from shoal.audit.beliefs import Beliefs
from shoal.audit.contract import Outcome, Risk, needs_everybody
from shoal.audit.number_wording import percent
from shoal.audit.scorer import Referee, interval
from shoal.core.arrays import Codes
from shoal.core.match_bundles import starts_of
from shoal.core.randomness import Randomness


class InsiderOrder(ValueAttack):
    """Pair people and records of each component by their order, and count the sensitive values that come out right.

    The adversary knows the order of the original file. The baseline is the result of random pairing: the chance that
    two random members agree or, if values are those of buckets, the result of dealing them out again within each
    bucket. If people are counted, a pairing is right if the person has the value in any row, and the baseline draws a
    value for each row from those that may be its own.

    Stopped by: shuffling the records.

    Cost: O(people · log people).

    Reference: our own; shuffling against it is common practice.
    """

    name: ClassVar[str] = "order"
    story: ClassVar[str] = (
        "An insider knows the order of the rows in the original and takes the first record of a group for the first "
        "person of the group, and so on."
    )
    remedy: ClassVar[str] = "Shuffle the records."

    def lacks(self, scene: Scene) -> str:
        """Requires a sensitive column, and a release that stems from the known people."""
        is_whole = scene.known.is_complete and scene.is_plain
        return super().lacks(scene) or ("" if is_whole else needs_everybody(scene))

    def weigh(self, beliefs: Beliefs, scene: Scene, referee: Referee) -> Risk:
        """Pair by order, and count."""
        name = beliefs.column.name
        if not referee.knows(name):
            return Risk(self.name, "not run", f"The original has no column {name!r} to count by.", about=name)
        record_of = paired(scene)
        guesses = np.where(record_of >= 0, beliefs.column.codes[record_of], -1).astype(np.int32)
        hits, n = referee.hits(name, guesses)
        rate, baseline = hits / max(1, n), _by_chance(beliefs, scene, referee, record_of) / max(1, n)
        leaks = rate - baseline > 3.5 * np.sqrt(max(baseline * (1 - baseline), 1e-12) / max(1, n)) and n > 0
        outcome: Outcome = "falls" if leaks else "stopped"
        says = (
            f"Pairing people and records by their order finds the {name} of {percent(rate)} of people; pairing them at "
            f"random finds {percent(baseline)}."
        )
        says += " The records are in the order of the original: shuffle them." if leaks else ""
        return Risk(self.name, outcome, says, rate, baseline, interval(hits, n), name, {"people paired": n})


_DEALS = 10
"""How often the values of buckets are redistributed."""


def _by_chance(beliefs: Beliefs, scene: Scene, referee: Referee, record_of: Codes) -> float:
    """The expected number of people guessed right by chance.

    People of one type may be in several buckets and have similar values, so two random members of all that may be
    theirs agree less often than a person does with a value of a bucket of such people: for buckets, values are
    redistributed instead.
    """
    buckets, codes = scene.seen.buckets, beliefs.column.codes
    pools = np.where(record_of >= 0, beliefs.pool_of[scene.links.types], -1)
    if buckets is None and referee.owners is not None:
        draws = (_drawn(beliefs, pools, scene.randomness.child(f"draw {draw}")) for draw in range(_DEALS))
        return float(np.mean([referee.hits(beliefs.column.name, guesses)[0] for guesses in draws]))
    if buckets is None:
        agree = np.bincount(beliefs.pools, beliefs.shares**2, beliefs.people.size)
        return float(agree[pools[pools >= 0]].sum())
    hits, by_bucket = [], np.argsort(buckets, kind="stable")
    for deal in range(_DEALS):
        shuffled = scene.randomness.child(f"deal {deal}").permutation(buckets.size)
        dealt = np.empty_like(codes)
        dealt[by_bucket] = codes[shuffled[np.argsort(buckets[shuffled], kind="stable")]]
        guesses = np.where(record_of >= 0, dealt[record_of], -1).astype(np.int32)
        hits.append(referee.hits(beliefs.column.name, guesses)[0])
    return float(np.mean(hits))


def _drawn(beliefs: Beliefs, pools: Codes, randomness: Randomness) -> Codes:
    """Draw a value for each row from those of its pool by their shares; −1 without a pool."""
    ends = np.cumsum(beliefs.shares)
    starts = np.append(0.0, ends)[beliefs.offsets[:-1]]
    totals = np.append(0.0, ends)[beliefs.offsets[1:]] - starts
    chances = (randomness.words(pools.size) >> np.uint64(11)) * 2.0**-53
    at = np.searchsorted(ends, starts[pools] + chances * totals[pools], side="right")
    return np.where(pools >= 0, beliefs.values[np.minimum(at, beliefs.offsets[pools + 1] - 1)], -1).astype(np.int32)


def paired(scene: Scene) -> Codes:
    """The record of each person if the people and records of each component are paired by order; −1 for none.

    Row i and record i are paired wherever all rows are published and fit; otherwise components with as many people as
    records are paired by rank, and if some people have no record, by relative rank.
    """
    seen, known = scene.seen, scene.known
    if seen.n_records == known.n_people:
        fits = np.all([cells.cover(codes) for cells, codes in zip(seen.cells, known.codes, strict=True)], axis=0)
        if fits.all():
            return np.arange(seen.n_records, dtype=np.int32)
    people_part, record_part, n_parts = _parts(scene)
    by_people, by_records = np.argsort(people_part, kind="stable"), np.argsort(record_part, kind="stable")
    people_at, records_at = starts_of(people_part, n_parts), starts_of(record_part, n_parts)
    part = people_part[by_people]
    rank = np.arange(by_people.size) - people_at[part]
    sizes, counts = np.diff(people_at)[part], np.diff(records_at)[part]
    target = records_at[part] + rank * counts // np.maximum(1, sizes)
    record_of = np.full(known.n_people, -1, np.int32)
    some = counts > 0
    record_of[by_people[some]] = by_records[target[some]]
    return record_of


def _parts(scene: Scene) -> tuple[Codes, Codes, int]:
    """The part of each person and of each record, and the number of parts.

    Parts are components of the matches; in a quick audit the classes, and one more for people who fit several.
    """
    links = scene.links
    if not scene.is_plain:
        matches = scene.matches
        return matches.of_type[links.types], matches.of_shape[links.shapes], matches.n_components
    only = scene.fits.only_shape
    return np.where(only >= 0, only, links.n_shapes)[links.types], links.shapes, links.n_shapes + 1
