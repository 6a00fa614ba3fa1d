"""Risks that follow from the classes alone, without solving the matching.

Of rows, by symmetry: whatever an adversary rules out or computes, records with equal cells stay equally likely to be a
given person's. In a class of c records each therefore has a chance of at most 1 / c, and a person who keeps one of them
as a match keeps all c. The same holds if the published assignment was drawn from k that share no match: each match is
in one of them.

Of people with several rows: the adversary is assumed to know the class of each of a person's rows. Inside a class every
row fits every record, so nothing can be ruled out and all assignments are equally likely: an adversary who must first
find the class, or solves the matching, learns no more. So the possible owners of a record are the different people of
its class, and the chance that a record is a person's is the share of the class's records that are theirs.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from shoal.audit.adversary_view import Scene
from shoal.audit.contract import Outcome, Risk
from shoal.audit.number_wording import counted, have, people, percent
from shoal.audit.same_person import Whose


def matching_by_symmetry(scene: Scene) -> Risk:
    """The risk of matching: whatever is ruled out, records of a class stay."""
    least = _hidden_among(scene)
    so = f"whatever is ruled out, everybody in the release keeps at least {counted(least, 'record')}"
    return _by_symmetry("matching", scene, so, {"fewest matches of a person": least, "people with one match": 0})


def posterior_by_symmetry(scene: Scene) -> Risk:
    """The risk of the posterior attack: a bound, which holds for everybody."""
    least = _hidden_among(scene)
    figures = {
        "largest chance": 1 / least,
        "promised chance": 1 / (scene.k or least),
        "people above 2/k": 0,
        "people above 0.5": 0,
        "fewest matches of a person": least,
    }
    return _by_symmetry("posterior", scene, f"no record is anybody's with a probability above 1 in {least:,}", figures)


def _hidden_among(scene: Scene) -> int:
    return scene.smallest_class if scene.is_shared else int(scene.drawn_from or 1)


def _by_symmetry(attack: str, scene: Scene, so: str, figures: Mapping[str, float]) -> Risk:
    """The rate bounds the share of people found by naming a likeliest record for each."""
    least = _hidden_among(scene)
    if scene.is_shared:
        why = f"Every record shares its cells with at least {counted(least - 1, 'other')}"
        sizes, n = scene.fits.smallest_class, scene.fits.people
        rate = float(np.where(sizes > 0, 1.0 / np.maximum(1, sizes), 0.0) @ n) / max(1, int(n.sum()))
    else:
        why = f"One of {scene.drawn_from} assignments that share no match was drawn at random"
        rate = 1 / least
    outcome: Outcome = "stopped" if least >= (scene.k or 2) else "weak"
    return Risk(attack, outcome, f"{why}, so {so}.", rate, 1 / max(1, scene.k or least), figures=figures)


def matching_of_people(scene: Scene, whose: Whose) -> Risk:
    """The number of people that a record may belong to, whatever is ruled out.

    The rate is the chance to name the right person of a class, over everybody in each of their classes; the baseline is
    1 / k, with the promised k or else the fewest people of a class.
    """
    sizes = whose.people_by_shape[whose.pairs.shapes]
    least = int(sizes.min(initial=whose.n_people))
    k = scene.k or least
    says = f"Whatever is ruled out, every record can be that of at least {people(least)}"
    says += f", fewer than the {k} promised." if least < k else "."
    n_alone = whose.n_people_of(sizes == 1)
    figures = {"fewest people for a record": least, "people who are alone in a class": n_alone}
    outcome: Outcome = "falls" if least <= 1 else "stopped" if least >= k else "weak"
    return Risk("matching", outcome, says, float(np.mean(1.0 / sizes)), 1 / max(1, k), figures=figures)


def posterior_of_people(scene: Scene, whose: Whose) -> Risk:
    """The chance that a record of a class is a given person's: the share of the class's records that are theirs.

    The rate is its mean over everybody in each of their classes; the baseline is 1 / k. Having k people in a class does
    not bound it: one of them may have most of its records.
    """
    parts, least = whose.pairs.parts, int(whose.people_by_shape[whose.pairs.shapes].min(initial=whose.n_people))
    k = scene.k or least
    largest, n_sure, n_likely = whose.largest_part, *(whose.n_people_of(parts > x + 1e-9) for x in (0.5, 2 / k))
    figures = {
        "largest chance": largest,
        "promised chance": 1 / max(1, k),
        "people above 2/k": n_likely,
        "people above 0.5": n_sure,
        "fewest people for a record": least,
    }
    outcome: Outcome = "falls" if n_sure else "stopped" if largest <= 1.05 / k else "weak"
    says = f"No record is anybody's with a probability above {percent(largest)}."
    if n_sure or n_likely:
        n, above = (n_sure, 0.5) if n_sure else (n_likely, 2 / k)
        says = (
            f"{n:,} of {people(whose.n_people)} {have(n)} so many records of a class that one of it is theirs with a "
            f"probability above {percent(above)} (up to {percent(largest)}), though every class holds at least "
            f"{people(least)}."
        )
    return Risk("posterior", outcome, says, float(parts.mean()), 1 / max(1, k), figures=figures)


def corruption_of_people(scene: Scene, whose: Whose, corrupted: int) -> Risk:
    """The number of people left in a class after ``corrupted`` of them reveal all their records.

    The rate is the share of people who are then alone in one of their classes in the worst case; the baseline is the
    share of those who are alone before.
    """
    sizes = whose.people_by_shape[whose.pairs.shapes]
    before = int(sizes.min(initial=whose.n_people))
    least = max(1, before - corrupted)
    n_alone, n_found = whose.n_people_of(sizes == 1), whose.n_people_of(sizes <= corrupted + 1)
    rate, baseline = n_found / max(1, whose.n_people), n_alone / max(1, whose.n_people)
    wanted = max(1, (scene.k or before) - corrupted)
    outcome: Outcome = "falls" if n_found > n_alone and wanted > 1 else "weak" if least < wanted else "stopped"
    tell = "1 person tells" if corrupted == 1 else f"{corrupted} people tell"
    says = f"If {tell} which records are theirs, every other record can still be that of at least {people(least)}."
    if n_found > n_alone:
        says = (
            f"If {tell} which records are theirs, {people(n_found - n_alone)} may be left alone in a class who "
            f"{'was' if n_found - n_alone == 1 else 'were'} not before ({people(n_found)} in all)."
        )
    figures = {"fewest people left": least, "fewest people before": before, "people who may be left alone": n_found}
    return Risk("corruption", outcome, says, rate, baseline, figures=figures)
