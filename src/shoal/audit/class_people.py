"""Attacks on people with several rows, measured by the people of classes.

The adversary is assumed to know the class of each of a person's rows. Inside a class every row fits every record, so
nothing can be ruled out and all assignments are equally likely: an adversary who must first find the class, or solves
the matching, learns no more. So the possible owners of a record are the different people of its class, and the chance
that a record is a person's is the share of the class's records that are theirs.
"""

from __future__ import annotations

import numpy as np

from shoal.audit.adversary_view import Scene
from shoal.audit.contract import Outcome, Risk
from shoal.audit.number_wording import counted, have, people, percent
from shoal.audit.same_person import Whose


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
    figures: dict[str, float] = {
        "fewest people for a record": least,
        "people who are alone in a class": whose.n_people_of(sizes == 1),
    }
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
    figures: dict[str, float] = {
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
            f"{'was' if n_found - n_alone == 1 else 'were'} not before ({counted(n_found, 'person', 'people')} in all)."
        )
    figures: dict[str, float] = {
        "fewest people left": least,
        "fewest people before": before,
        "people who may be left alone": n_found,
    }
    return Risk("corruption", outcome, says, rate, baseline, figures=figures)
