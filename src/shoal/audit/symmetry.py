"""Risk bounds without solving the matching: records that share their cells are interchangeable.

Whatever an adversary rules out or computes, records with equal cells stay equally likely to be a given person's. In a
class of c records each therefore has a chance of at most 1 / c, and a person who keeps one of them as a match keeps all
c. The same holds if the published assignment was drawn from k that share no match: each match is in one of them.
"""

from __future__ import annotations

import numpy as np

from shoal.audit.adversary_view import Scene
from shoal.audit.contract import Outcome, Risk
from shoal.audit.number_wording import counted


def matching_by_symmetry(scene: Scene) -> Risk:
    """The risk of matching, from the classes alone."""
    least = _hidden_among(scene)
    says = f"{_why(scene)}, so whatever is ruled out, everybody in the release keeps at least {_records(least)}."
    figures: dict[str, float] = {"fewest matches of a person": least, "people with one match": 0}
    return Risk("matching", _outcome(scene), says, _bound(scene), 1 / max(1, scene.k or least), figures=figures)


def posterior_by_symmetry(scene: Scene) -> Risk:
    """The risk of the posterior attack, from the classes alone: a bound, which holds for everybody."""
    least = _hidden_among(scene)
    says = f"{_why(scene)}, so no record is anybody's with a probability above 1 in {least:,}."
    k = scene.k or least
    figures: dict[str, float] = {
        "largest chance": 1 / least,
        "promised chance": 1 / k,
        "people above 2/k": 0,
        "people above 0.5": 0,
        "fewest matches of a person": least,
    }
    return Risk("posterior", _outcome(scene), says, _bound(scene), 1 / max(1, k), figures=figures)


def _hidden_among(scene: Scene) -> int:
    return scene.smallest_class if scene.is_shared else int(scene.drawn_from or 1)


def _outcome(scene: Scene) -> Outcome:
    return "stopped" if _hidden_among(scene) >= (scene.k or 2) else "weak"


def _why(scene: Scene) -> str:
    if scene.is_shared:
        return f"Every record shares its cells with at least {counted(scene.smallest_class - 1, 'other')}"
    return f"One of {scene.drawn_from} assignments that share no match was drawn at random"


def _records(n: int) -> str:
    return counted(n, "record")


def _bound(scene: Scene) -> float:
    """An upper bound on the share of people found by naming a likeliest record for each."""
    if not scene.is_shared:
        return 1 / _hidden_among(scene)
    sizes, people = scene.fits.smallest_class, scene.fits.people
    chances = np.where(sizes > 0, 1.0 / np.maximum(1, sizes), 0.0)
    return float(chances @ people) / max(1, int(people.sum()))
