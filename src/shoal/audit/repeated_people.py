"""Repeated people: a class of k rows may contain only a few people, or one."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from shoal.audit.adversary_view import Scene
from shoal.audit.contract import Attack, Risk, not_run
from shoal.audit.number_wording import counted, people
from shoal.audit.same_person import Whose
from shoal.audit.scorer import Referee
from shoal.models.diversity_kinds import distinct


class RepeatedPeople(Attack):
    """Count the classes that hold fewer people than promised, and the values that all of these people share.

    People are identified by a column of the original: the named one (``person``), or an identifier whose values repeat.
    The rate is the share of rows in classes of fewer than k people (2 if no k was promised); the baseline is 0.

    Stopped by: k-anonymity of people.

    Cost: O(records · log records).

    Reference: our own.
    """

    name: ClassVar[str] = "repeated-people"
    story: ClassVar[str] = (
        "An adversary knows one of a person's rows and finds its class. If most records there belong to the same "
        "person, or to a few people who all have a value in common, k rows hide nobody."
    )
    remedy: ClassVar[str] = (
        "Name the column that identifies the person of each row (person, --person); people are then counted."
    )

    def run(self, scene: Scene, referee: Referee) -> list[Risk]:
        """Count the people of every class."""
        whose = referee.whose
        if referee.untraced:
            return [not_run(self.name, f"It cannot be told whose the records are: {referee.untraced}.")]
        if whose is None:
            return [Risk(self.name, "stopped", "No column identifies people with several rows.")]
        least = max(2, scene.k or 2)
        sizes, records = whose.people_by_shape, whose.records_by_shape
        few = (records > 0) & (sizes < least)
        rate = float(records[few].sum() / max(1, whose.people.size))
        certain = {name: _certain(whose, name) for name in whose.values}
        figures: dict[str, float] = {
            "people": whose.n_people,
            "classes of fewer than k people": int(few.sum()),
            "classes of one person": int(((records > 0) & (sizes == 1)).sum()),
            "largest part of a class that is one person's": whose.largest_part,
            **{f"people whose {name} all of their class have": n for name, n in certain.items()},
        }
        says = _says(whose, least, figures, int((records > 0).sum()))
        return [Risk(self.name, "falls" if few.any() else "stopped", says, rate, figures=figures)]


def _certain(whose: Whose, name: str) -> int:
    """The number of people in classes whose members all share a value."""
    tallies = whose.tallies(whose.values[name])
    alike = (distinct(tallies) < 2) & (whose.people_by_shape > 0)
    return int(whose.people_by_shape[np.flatnonzero(alike)].sum())


def _says(whose: Whose, least: int, figures: dict[str, float], n_classes: int) -> str:
    n_few, n_alone = int(figures["classes of fewer than k people"]), int(figures["classes of one person"])
    told = f"By {whose.column!r} {counted(whose.people.size, 'record')} are of {people(whose.n_people)}"
    if n_few:
        alone = f", {n_alone:,} of them a single person" if n_alone else ""
        return f"{told}: {n_few:,} of {counted(n_classes, 'class', 'classes')} hold fewer than {least} people{alone}."
    fewest = int(whose.people_by_shape[whose.records_by_shape > 0].min(initial=whose.people.size))
    part = f"{whose.largest_part:.0%}"
    return f"{told}: every class holds at least {people(fewest)}, and nobody has more than {part} of one."
