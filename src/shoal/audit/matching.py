"""Matching: strike out every link that no complete assignment can use."""

from __future__ import annotations

from typing import ClassVar

from shoal.audit.adversary_view import Scene
from shoal.audit.class_people import matching_of_people
from shoal.audit.contract import NEEDS_EVERYBODY, Attack, Outcome, Risk, not_run
from shoal.audit.scorer import Referee
from shoal.audit.symmetry import matching_by_symmetry
from shoal.audit.wording import counted, fit, have, people


class Matching(Attack):
    """As linking, once the links that fit but cannot be are gone.

    Every record belongs to one person and nobody to two. A link (person, record) can be ruled out where no assignment
    of all records to people uses it; the others are the *matches*. What is left is found from one complete
    assignment and its strong components. The rate is the share of people who are found by picking one of their
    matches at random; the baseline the same without striking anything out. Where people are counted, see
    ``class_people``.

    Reference: Wong et al. 2010 (section 4.1); Tassa, Mazza and Gionis 2012 (sections 5 and 6.2).
    """

    name: ClassVar[str] = "matching"
    story: ClassVar[str] = (
        "Somebody who knows everybody in the table works out which person can be which record when every record must "
        "belong to somebody, like a puzzle, and strikes out what cannot be."
    )
    remedy: ClassVar[str] = "Ask for k-anonymity or k-concealment, which count only matches that cannot be struck out."
    stopped_by: ClassVar[tuple[tuple[str, str], ...]] = (("k", "3"), ("k", "5"), ("k", "10"), ("k", "20"))

    def lacks(self, scene: Scene) -> str:
        """People who are known to be all there are."""
        return "" if scene.known.is_complete or scene.is_plain else NEEDS_EVERYBODY

    def run(self, scene: Scene, referee: Referee) -> list[Risk]:
        """Count matches, and what they were before."""
        if referee.counted is not None:
            return [matching_of_people(scene, referee.counted)]
        if scene.is_plain:
            return [matching_by_symmetry(scene)]
        matches, links = scene.matches, scene.links
        if matches.n_unplaced:
            return [not_run(self.name, _misfit(matches.n_unplaced))]
        before, after, n = links.records_fitting, matches.links.records_fitting, links.people
        is_in = after > 0
        rate, baseline = (float((n[is_in] / counts[is_in]).sum() / max(1, n.sum())) for counts in (after, before))
        least, least_before = (int(counts[is_in].min()) if is_in.any() else 0 for counts in (after, before))
        owners = matches.links.people_fitting[: links.n_shapes]
        figures = {
            "fewest matches of a person": least,
            "fewest records that fit a person": least_before,
            "fewest matches of a record": int(owners.min(initial=int(n.sum()))),
            "people with one match": int(n[after == 1].sum()),
            "people who lost matches": int(n[after < before].sum()),
            "components": matches.n_components,
        }
        return [Risk(self.name, _outcome(scene, figures), _says(scene, figures), rate, baseline, figures=figures)]


def _outcome(scene: Scene, figures: dict[str, int]) -> Outcome:
    least = min(figures["fewest matches of a person"], figures["fewest matches of a record"])
    if least <= 1:
        return "falls"
    wanted = scene.k or figures["fewest records that fit a person"]
    return "stopped" if least >= wanted else "weak"


def _says(scene: Scene, figures: dict[str, int]) -> str:
    least, alone, before = (
        figures[name]
        for name in ("fewest matches of a person", "people with one match", "fewest records that fit a person")
    )
    lost = figures["people who lost matches"]
    if alone:
        seemed = f", though everybody seems to fit at least {counted(before, 'record')}" if before > 1 else ""
        return f"{people(alone)} {have(alone)} only one record left once impossible matches are struck out{seemed}."
    owners = figures["fewest matches of a record"]
    few = f" But a record can be that of {people(owners)} only." if scene.k and owners < scene.k <= least else ""
    if not lost:
        return f"Nothing can be struck out: everybody keeps at least {counted(least, 'record')}.{few}"
    left = counted(least, "match", "matches")
    says = f"Some records that fit {people(lost)} can be struck out; everybody keeps at least {left}"
    return f"{says}, fewer than the {scene.k} promised." if scene.k and least < scene.k else f"{says}.{few}"


def _misfit(n_unplaced: int) -> str:
    return (
        f"{counted(n_unplaced, 'record')} {fit(n_unplaced)} nobody who is not needed by another record, so the release "
        "does not stem from these people, or its values were changed; nothing can be struck out."
    )
