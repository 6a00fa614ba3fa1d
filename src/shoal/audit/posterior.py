"""Posterior: compute the chances of the remaining matches."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from shoal.audit.adversary_view import Scene
from shoal.audit.chances import Chances, first_largest, sampled
from shoal.audit.class_risks import posterior_by_symmetry, posterior_of_people
from shoal.audit.contract import Attack, Outcome, Risk, needs_everybody
from shoal.audit.links import fewest
from shoal.audit.number_wording import counted, have, people, percent
from shoal.audit.scorer import Referee

SAMPLES = 400
"""Number of complete assignments drawn by a thorough audit."""


class Posterior(Attack):
    """Compute the chance of each person's likeliest record, if every complete assignment is equally likely.

    Tassa et al. call this infeasible because it takes a permanent. It is exact if components are complete or small, and
    belief propagation comes within a few hundredths elsewhere; a thorough audit also draws complete assignments at
    random and reports an interval. The rate is the share of people who are found by naming the likeliest record; the
    baseline is 1 / k, with the promised k or else the smallest number of matches of a person.

    A release may give everybody k matches through a few records so general that they fit nearly all people, *hubs*,
    while all other records are as good as named. Matching cannot see that; chances do. If people are counted, see
    ``class_risks``.

    Stopped by: k-anonymity, uniform matching or a linkage bound.

    Cost: at most O(matches · rounds) time, O(matches) memory.

    Reference: Tassa, Mazza and Gionis 2012, k-Concealment: An Alternative Model of k-Type Anonymity (section 5.2);
    Huang and Jebara 2009, Approximating the Permanent with Belief Propagation; Sandvik and Moessner 2006, Correlations
    and Confinement in Nonplanar Two-Dimensional Dimer Models (drawing assignments).
    """

    name: ClassVar[str] = "posterior"
    story: ClassVar[str] = (
        "An adversary who knows everybody in the table counts in how many of all complete assignments a person has a "
        "record, and names the likeliest."
    )
    counts_owners: ClassVar[bool] = True
    remedy: ClassVar[str] = (
        "Ask for k-anonymity, uniform matching or a linkage bound: they bound all chances. If one person has many rows "
        "of a class, only the linkage bound does (linkage, --linkage)."
    )

    def lacks(self, scene: Scene) -> str:
        """Requires a release that stems from the known people."""
        return "" if scene.is_plain else needs_everybody(scene)

    def run(self, scene: Scene, referee: Referee) -> list[Risk]:
        """Compute the chance of every match; draw assignments in a thorough audit."""
        if referee.counted is not None:
            return [posterior_of_people(scene, referee.counted)]
        if scene.is_plain:
            return [posterior_by_symmetry(scene)]
        chances, n = scene.chances, scene.links.people
        best, least = chances.best_of_type, fewest(scene.matches.links.records_fitting, default=1)
        k, total = scene.k or least, max(1, int(n.sum()))
        figures = {
            "largest chance": float(best.max(initial=0.0)),
            "promised chance": 1 / k,
            "people above 2/k": int(n[best > 2 / k + 1e-9].sum()),
            "people above 0.5": int(n[best > 0.5 + 1e-9].sum()),
            "fewest matches of a person": least,
            "records that fit half of all people": _hubs(scene),
        }
        figures |= {f"people by method: {name}": count for name, count in chances.people_by_method.items()}
        figures |= _measured(scene, referee, k)
        around = None
        if scene.is_thorough and chances.edges is not None:
            around, extra = _drawn(scene, chances)
            figures |= extra
        if scene.drawn_from is not None:
            return [_drawn_from(scene.drawn_from, k, figures, total)]
        outcome, says = _outcome(figures, total), _says(figures, k, total)
        return [Risk(self.name, outcome, says, chances.expected_hits / total, 1 / k, around, figures=figures)]


def _drawn_from(n_assignments: int, k: int, figures: dict[str, float], total: int) -> Risk:
    """The risk if one of several assignments without a common match was drawn: matches are equally likely."""
    rate = figures.get("found by naming the likeliest record", total / n_assignments) / total
    is_fine = n_assignments >= k and rate <= 1 / k + 3 * (1 / k / total) ** 0.5
    says = (
        f"One of {n_assignments} assignments that share no match was drawn at random, so every match has a probability "
        f"of 1 in {n_assignments}."
    )
    largest = figures["largest chance"]
    if largest > 1.05 / n_assignments:
        says += f" An adversary who takes all assignments to be equally likely would expect up to {percent(largest)}"
        says += f", but is right for {percent(rate)} of people."
    return Risk(Posterior.name, "stopped" if is_fine else "weak", says, rate, 1 / k, figures=figures)


def _measured(scene: Scene, referee: Referee, k: int) -> dict[str, float]:
    """How often the likeliest record is correct, for all and for people above 1.2/k; empty if this is unknown."""
    types, chances = scene.links.types, scene.chances
    found = referee.found(chances.likeliest[types], scene.links.records)
    if found is None or chances.scales is not None:
        return {}
    best = chances.best_of_type[types]
    doubtful = best > 1.2 / k
    return {
        "found by naming the likeliest record": float(found.sum()),
        "people above 1.2/k": int(np.count_nonzero(doubtful)),
        "expected among people above 1.2/k": float(best[doubtful].sum()),
        "found among people above 1.2/k": float(found[doubtful].sum()),
    }


def _hubs(scene: Scene) -> int:
    """The number of records that fit more than half of all people, if there are several shapes."""
    links = scene.links
    wide = links.people_fitting > 0.5 * links.people.sum()
    return int(links.records[wide].sum()) if links.n_shapes > 1 else 0


def _drawn(scene: Scene, chances: Chances) -> tuple[tuple[float, float], dict[str, float]]:
    """The rate, and the people above a half, from random assignments; the guesses are those of the estimate.

    Each batch evaluates the records that the estimate named, so there is no bias from picking the best of many.
    """
    edges = chances.edges
    assert edges is not None
    batches = sampled(chances, SAMPLES, scene.randomness.child("posterior"))
    shown = np.where(edges.shapes < scene.links.n_shapes, chances.values, -1.0)
    named = first_largest(shown, edges.offsets)
    closed = chances.expected_hits - float(chances.best_of_type[edges.types] @ edges.people)
    total = max(1, int(scene.links.people.sum()))
    rates = (batches[:, named] @ edges.people + closed) / total
    spread = 2.262 * float(rates.std(ddof=1) / np.sqrt(rates.size))
    drawn = batches.mean(axis=0)[named]
    figures = {
        "assignments drawn": SAMPLES,
        "people above 0.5 by drawing": int(edges.people[drawn > 0.5].sum()),
        "largest difference to drawing": float(np.abs(drawn - chances.values[named]).max(initial=0.0)),
    }
    return (float(rates.mean() - spread), float(rates.mean() + spread)), figures


def _is_refuted(figures: dict[str, float], total: int) -> bool:
    """Whether people above 1.2/k were found so rarely that assignments cannot have been equally likely.

    If a release was drawn in another way (one of k assignments that share no match, for instance), an adversary who
    considers all assignments equally likely is overconfident.
    """
    right, expected = (figures.get(f"{what} among people above 1.2/k", 0.0) for what in ("found", "expected"))
    if not expected:
        return False
    allowed = total * figures["promised chance"]
    is_rare = right < expected - 3 * expected**0.5 or (expected > 4 and right == 0)
    return is_rare and figures["found by naming the likeliest record"] <= allowed + 3 * allowed**0.5


def _outcome(figures: dict[str, float], total: int) -> Outcome:
    if _is_refuted(figures, total):
        return "stopped"
    if figures["people above 0.5"]:
        return "falls"
    if figures["people above 2/k"]:
        return "weak"
    return "stopped" if figures["largest chance"] <= 1.05 * figures["promised chance"] else "weak"


def _says(figures: dict[str, float], k: int, total: int) -> str:
    largest = figures["largest chance"]
    exposed, doubtful = int(figures["people above 0.5"]), int(figures["people above 2/k"])
    least = int(figures["fewest matches of a person"])
    if _is_refuted(figures, total):
        return _about_drawing(figures, k)
    if exposed:
        says = (
            f"{exposed:,} of {people(total)} {have(exposed)} a record that is theirs with a probability above 50%"
            f" (up to {percent(largest)})"
        )
        says += f", although everybody has at least {counted(least, 'possible record')}." if least > 1 else "."
        return says + _about_hubs(int(figures["records that fit half of all people"]), least, total)
    if doubtful:
        return (
            f"{doubtful:,} of {people(total)} {have(doubtful)} a record that is theirs with a probability above "
            f"{percent(2 / k)}, twice the expected 1 in {k} (up to {percent(largest)})."
        )
    if largest > 1.05 / k:
        return (
            f"The likeliest record of a person is theirs with a probability of {percent(largest)}, more than 1 in {k}."
        )
    return f"No record is anybody's with a probability above 1 in {k}."


def _about_drawing(figures: dict[str, float], k: int) -> str:
    right, n = figures["found among people above 1.2/k"], int(figures["people above 1.2/k"])
    return (
        f"For an adversary who takes all complete assignments to be equally likely, {people(n)} {have(n)} a record "
        f"that is theirs with a probability above {percent(1.2 / k)} (up to {percent(figures['largest chance'])}); but "
        f"the release was drawn differently, and {percent(right / n)} of those guesses are right."
    )


def _about_hubs(n_hubs: int, least: int, total: int) -> str:
    """A sentence if few records, at most one in five, are to blame."""
    if not 0 < 5 * n_hubs <= total or least < 2:
        return ""
    return (
        f" {counted(n_hubs, 'record')} so general that {'it fits' if n_hubs == 1 else 'they fit'} most people make "
        "everybody look hidden and hide hardly anybody: bound the largest chance of a match, or let records share "
        "their cells."
    )
