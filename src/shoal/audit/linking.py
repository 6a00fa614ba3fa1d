"""Linking: look everybody up in the release."""

from __future__ import annotations

from typing import ClassVar

from shoal.audit.contract import Attack, Outcome, Risk
from shoal.audit.links import Links
from shoal.audit.referee import Referee
from shoal.audit.scene import Scene
from shoal.audit.words import counted, fit, listed, people
from shoal.core.arrays import Offsets


class Linking(Attack):
    """How many records fit each person and how many people fit each record, from the cells alone.

    The rate is the share of people who are found by picking one of their fitting records at random; the baseline
    1 / k where k was promised, else a pick among all records. This is what k-anonymity, (1,k)- and (k,1)-anonymity
    speak of. O(nodes of a tree over the people that the boxes of the records touch).
    """

    name: ClassVar[str] = "linking"
    story: ClassVar[str] = (
        "Somebody who knows the quasi-identifiers of a person, from a register for instance, looks for the records "
        "that fit; or takes a record and looks for the people who fit it."
    )

    def run(self, scene: Scene, referee: Referee) -> list[Risk]:
        """Count, both ways."""
        links = scene.links
        fitting, is_in = links.records_fitting, links.records_fitting > 0
        rate = float((links.people[is_in] / fitting[is_in]).sum() / max(1, links.people.sum()))
        baseline = 1 / scene.k if scene.k else 1 / max(1, scene.seen.n_records)
        least, fewest = _least(fitting), _least(links.people_fitting)
        figures = {
            "fewest records for a person": least,
            "fewest people for a record": fewest,
            "people who fit one record": int(links.people[fitting == 1].sum()),
            "records that fit one person": int(links.records[links.people_fitting == 1].sum()),
            "people who fit no record": int(links.people[~is_in].sum()),
            "records that fit nobody": int(links.records[links.people_fitting == 0].sum()),
        }
        if scene.k:
            figures["people who fit fewer than k records"] = int(links.people[is_in & (fitting < scene.k)].sum())
            figures["records that fit fewer than k people"] = _below(links, scene.k)
        return [
            Risk(self.name, _outcome(least, fewest, scene.k), _says(scene, figures), rate, baseline, figures=figures)
        ]


def _least(counts: Offsets) -> int:
    found = counts[counts > 0]
    return int(found.min()) if found.size else 0


def _below(links: Links, k: int) -> int:
    few = (links.people_fitting > 0) & (links.people_fitting < k)
    return int(links.records[few].sum())


def _outcome(least: int, fewest: int, k: int | None) -> Outcome:
    smallest = min(least, fewest)
    if smallest <= 1:
        return "falls"
    if k is None:
        return "stopped" if smallest >= 5 else "weak"
    return "stopped" if smallest >= k else "weak"


def _says(scene: Scene, figures: dict[str, int]) -> str:
    knows = listed(scene.names)
    alone, owned = figures["people who fit one record"], figures["records that fit one person"]
    nobody = figures["records that fit nobody"]
    strange = f" {counted(nobody, 'record')} {fit(nobody)} nobody." if nobody else ""
    if alone or owned:
        parts = [f"{people(alone)} {fit(alone)} a single record"] if alone else []
        parts += [f"{counted(owned, 'record')} {fit(owned)} a single person"] if owned else []
        return f"{' and '.join(parts)}: whoever knows {knows} has found them.{strange}"
    least, fewest = figures["fewest records for a person"], figures["fewest people for a record"]
    says = f"Everybody fits at least {counted(least, 'record')}, and every record at least {people(fewest)}."
    few = figures.get("people who fit fewer than k records", 0), figures.get("records that fit fewer than k people", 0)
    if any(few):
        short = f"{people(few[0])} and {counted(few[1], 'record')}"
        says += f" That is fewer than the {scene.k} that were promised for {short}."
    return says + strange
