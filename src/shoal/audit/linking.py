"""Linking: look everybody up in the release."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from shoal.audit.adversary_view import Scene
from shoal.audit.contract import Attack, Outcome, Risk
from shoal.audit.links import WhoFits, fewest
from shoal.audit.number_wording import counted, fit, in_rows, listed, people
from shoal.audit.scorer import Referee
from shoal.core.arrays import Offsets


class Linking(Attack):
    """Find the records that fit each person and the people who fit each record, from the cells alone.

    The rate is the share of people who are found by picking one of their fitting records at random; the baseline is 1 /
    k if a k was promised, otherwise a pick among all records. This is the attack that k-anonymity, (1,k)- and
    (k,1)-anonymity limit. If a person column is named, the people who fit a record are the different people of its
    class, and the rate is the chance that a record in someone's class is theirs, over all rows.

    Stopped by: k-anonymity with a larger k.

    Cost: O(nodes of a tree over the people that the boxes of the records touch).

    Reference: Sweeney 2002, k-Anonymity: A Model for Protecting Privacy.
    """

    name: ClassVar[str] = "linking"
    story: ClassVar[str] = (
        "An adversary who knows a person's quasi-identifiers, from a register for instance, looks for the records that "
        "fit; or takes a record and looks for the people who fit it."
    )
    remedy: ClassVar[str] = "Ask for k-anonymity, or for a larger k."
    stopped_by: ClassVar[tuple[tuple[str, str], ...]] = (("k", "3"), ("k", "5"), ("k", "10"), ("k", "20"))

    def run(self, scene: Scene, referee: Referee) -> list[Risk]:
        """Count in both directions; for a sample of people, in one."""
        links, types = scene.links, scene.links.types
        fitting, is_in = links.records_fitting, links.records_fitting > 0
        found, n = referee.total(np.where(is_in, 1 / np.maximum(1, fitting), 0.0)[types], np.ones(types.size, bool))
        rate = found / max(1, n)
        baseline = 1 / scene.k if scene.k else 1 / max(1, scene.seen.n_records)
        figures = {
            "fewest records for a person": fewest(fitting),
            "people who fit one record": referee.count((fitting == 1)[types]),
            "people who fit no record": referee.count(~is_in[types]),
        }
        if scene.k:
            figures["people who fit fewer than k records"] = referee.count((is_in & (fitting < scene.k))[types])
        if scene.known.is_complete:
            figures |= _of_records(links, scene.k)
        if referee.counted is not None:
            rate = referee.counted.found()
            figures |= referee.counted.figures(scene.k)
        is_untraced = bool(referee.untraced)
        around = None if scene.known.is_complete else _around(links.people, fitting, rate)
        outcome, says = _outcome(figures, scene.k), _says(scene, figures, is_untraced)
        told = {in_rows(n) if is_untraced and n in _OF_RECORDS else n: found for n, found in figures.items()}
        return [Risk(self.name, outcome, says, rate, baseline, around, figures=told)]


_OF_RECORDS = ("fewest people for a record", "records that fit one person", "records that fit fewer than k people")
"""Figures that count the people who fit a record."""


def _of_records(links: WhoFits, k: int | None) -> dict[str, int]:
    """The numbers of people who fit records."""
    people, records = links.people_fitting, links.records
    found = {
        "fewest people for a record": fewest(people),
        "records that fit one person": int(records[people == 1].sum()),
        "records that fit nobody": int(records[people == 0].sum()),
    }
    if k is not None:
        found["records that fit fewer than k people"] = int(records[(people > 0) & (people < k)].sum())
    return found


def _around(people: Offsets, fitting: Offsets, rate: float) -> tuple[float, float]:
    """A 95% interval of the mean of 1 / fitting records over all people, from a sample of them."""
    n = max(1, int(people.sum()))
    chances = np.where(fitting > 0, 1 / np.maximum(1, fitting), 0.0)
    half = 1.96 * float(np.sqrt(max(0.0, float(people @ chances**2) / n - rate**2) / n))
    return max(0.0, rate - half), min(1.0, rate + half)


def _outcome(figures: dict[str, int], k: int | None) -> Outcome:
    least = figures["fewest records for a person"]
    smallest = min(least, figures.get("fewest people for a record", least))
    if smallest <= 1:
        return "falls"
    return "stopped" if smallest >= (k or 5) else "weak"


def _says(scene: Scene, figures: dict[str, int], is_untraced: bool) -> str:
    alone, owned = figures["people who fit one record"], figures.get("records that fit one person", 0)
    nobody = figures.get("records that fit nobody", 0)
    more = f" {counted(nobody, 'record')} {fit(nobody)} nobody." if nobody else ""
    if not scene.known.is_complete:
        more += f" (Of {scene.known.sample_said}.)"
    if alone or owned:
        parts = [f"{people(alone)} {fit(alone)} a single record"] if alone else []
        whom = "row" if is_untraced else "person"
        parts += [f"{counted(owned, 'record')} {fit(owned)} a single {whom}"] if owned else []
        return f"{' and '.join(parts)}: an adversary who knows {listed(scene.names)} has found them.{more}"
    return _hidden(scene, figures, is_untraced) + more


def _hidden(scene: Scene, figures: dict[str, int], is_untraced: bool) -> str:
    """How well everybody is hidden, and for whom less than promised."""
    says = f"Everybody fits at least {counted(figures['fewest records for a person'], 'record')}"
    least = figures.get("fewest people for a record")
    if least is not None:
        says += f", and every record fits at least {counted(least, 'row') if is_untraced else people(least)}"
    few = figures.get("people who fit fewer than k records", 0), figures.get("records that fit fewer than k people", 0)
    short = [said for n, said in zip(few, (people(few[0]), counted(few[1], "record")), strict=True) if n]
    return f"{says}." + (f" For {' and '.join(short)}, that is fewer than the promised {scene.k}." if short else "")
