"""Looking for somebody's records where people have several rows: weighed by the people of classes.

The adversary is taken to know in which class each of a person's rows lies. Inside a class every row fits every record,
so nothing can be ruled out there and all assignments are equally likely: whoever has to find the class first, or
solves the puzzle of who fits what, gets no further. So people who may own a record are the different people of its
class, and a record is somebody's with a chance of the part of the class that their records are.
"""

from __future__ import annotations

import numpy as np

from shoal.audit.adversary_view import Scene
from shoal.audit.contract import Outcome, Risk
from shoal.audit.number_wording import counted, have, people, percent
from shoal.audit.same_person import Whose


def matching_of_people(scene: Scene, whose: Whose) -> Risk:
    """How many people a record may be that of, whatever is ruled out.

    The rate is the chance to name the right person of a class, over everybody in each of their classes; the baseline
    1 / k, with the k that was promised or else the fewest people of a class.
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
    """How likely a record of a class is a given person's: by the part of the class that their records are.

    The rate is the mean of that over everybody in each of their classes; the baseline 1 / k. k people in a class do
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
    """How many people are left in a class when ``corrupted`` of it tell which records are theirs, all of them.

    The rate is the share of people who are then alone in one of their classes at worst, whoever tells; the baseline
    the share of those who are alone before.
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
