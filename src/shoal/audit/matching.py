"""Matching: rule out every link that no complete assignment can use."""

from __future__ import annotations

from typing import ClassVar

from shoal.audit.adversary_view import Scene
from shoal.audit.class_risks import matching_by_symmetry, matching_of_people
from shoal.audit.contract import NEEDS_EVERYBODY, Attack, Outcome, Risk, not_run
from shoal.audit.number_wording import counted, fit, have, people
from shoal.audit.scorer import Referee


class Matching(Attack):
    """Eliminate every link that no complete assignment of records to people can use, then link.

    Every record belongs to one person and nobody owns two. A link (person, record) is impossible if no assignment of
    all records to people uses it; the possible ones are the *matches*. They are found from one complete assignment and
    its strong components. The rate is the share of people who are found by picking one of their matches at random; the
    baseline is the same without elimination. If people are counted, see ``class_risks``.

    Stopped by: k-anonymity or k-concealment.

    Cost: close to O(pieces + people), where pieces are the parts of a tree over the people that the boxes of the
    records cover.

    Reference: Wong, Mamoulis and Cheung 2010, Non-Homogeneous Generalization in Privacy Preserving Data Publishing
    (section 4.1); Tassa, Mazza and Gionis 2012, k-Concealment: An Alternative Model of k-Type Anonymity (sections 5 and
    6.2).
    """

    name: ClassVar[str] = "matching"
    story: ClassVar[str] = (
        "An adversary who knows everybody in the table works out, like a puzzle, which person can own which record if "
        "every record must belong to somebody, and eliminates what is impossible."
    )
    counts_owners: ClassVar[bool] = True
    remedy: ClassVar[str] = "Ask for k-anonymity or k-concealment, which count only matches that cannot be eliminated."
    stopped_by: ClassVar[tuple[tuple[str, str], ...]] = (("k", "3"), ("k", "5"), ("k", "10"), ("k", "20"))

    def lacks(self, scene: Scene) -> str:
        """Requires that all people are known."""
        return "" if scene.known.is_complete or scene.is_plain else NEEDS_EVERYBODY

    def run(self, scene: Scene, referee: Referee) -> list[Risk]:
        """Count matches, and fitting records before elimination."""
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
    wanted = scene.k or figures["fewest records that fit a person"]
    return "falls" if least <= 1 else "stopped" if least >= wanted else "weak"


def _says(scene: Scene, figures: dict[str, int]) -> str:
    least, alone = figures["fewest matches of a person"], figures["people with one match"]
    before, lost = figures["fewest records that fit a person"], figures["people who lost matches"]
    if alone:
        seemed = f", though everybody seems to fit at least {counted(before, 'record')}" if before > 1 else ""
        return f"{people(alone)} {have(alone)} only one record left once impossible matches are ruled out{seemed}."
    owners = figures["fewest matches of a record"]
    few = f" But a record can be that of {people(owners)} only." if scene.k and owners < scene.k <= least else ""
    if not lost:
        return f"Nothing can be ruled out: everybody keeps at least {counted(least, 'record')}.{few}"
    left = counted(least, "match", "matches")
    says = f"Some records that fit {people(lost)} can be ruled out; everybody keeps at least {left}"
    return f"{says}, fewer than the {scene.k} promised." if scene.k and least < scene.k else f"{says}.{few}"


def _misfit(n_unplaced: int) -> str:
    return (
        f"{counted(n_unplaced, 'record')} {fit(n_unplaced)} nobody who is not needed by another record, so the release "
        "does not stem from these people, or its values were changed; nothing can be ruled out."
    )
