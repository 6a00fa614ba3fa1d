"""Shifted dates: aligned again by the days between the dates of one person."""

from __future__ import annotations

from typing import ClassVar

from shoal.audit.adversary_view import Scene
from shoal.audit.contract import Attack, Outcome, Risk
from shoal.audit.scorer import Referee
from shoal.audit.wording import counted


class AlignedDates(Attack):
    """Whoever knows true dates compares the days between them, which a shift does not change.

    Where a pseudonym joins the records of a person, all dates of all of them are compared; else those of one record. A
    pattern of days that one person and one record, or pseudonym, have and no other is a guess: it names the person and
    tells by how much the dates were moved. The rate is the share of records (or pseudonyms) named rightly, the baseline
    the chance to guess a shift. Stopped where every record has one date. O(dates · log dates).
    """

    name: ClassVar[str] = "aligned-dates"
    story: ClassVar[str] = (
        "Somebody knows on which days people came and went, and looks for the same days in between among the shifted "
        "dates."
    )
    remedy: ClassVar[str] = (
        "Publish one date of each record alone, or coarser ones (bands: month, quarter), or make the dates "
        "quasi-identifiers."
    )

    def lacks(self, scene: Scene) -> str:
        """Dates that were shifted and are published as days."""
        return "" if scene.shifted else "It needs shifted dates that are published to the day, and there are none."

    def run(self, scene: Scene, referee: Referee) -> list[Risk]:
        """Say how many were aligned."""
        shifted = scene.shifted
        assert shifted is not None
        whom = "pseudonym" if shifted.are_linked else "record"
        days = f"By the days between {' and '.join(map(repr, shifted.names))}"
        if shifted.n_right:
            says = (
                f"{days} {counted(shifted.n_right, whom)} of {shifted.n_units:,} are somebody's for certain, and their "
            )
            says += "dates can be moved back."
        else:
            says = f"{days} none of {counted(shifted.n_units, whom)} can be told to be somebody's."
        rate = shifted.n_right / max(1, shifted.n_units)
        figures = {f"{whom}s": shifted.n_units, "guesses": shifted.n_guessed, "right": shifted.n_right}
        outcome: Outcome = "falls" if shifted.n_right else "stopped"
        baseline = min(rate, shifted.chance)
        return [Risk(self.name, outcome, says, rate, baseline, about=", ".join(shifted.names), figures=figures)]
