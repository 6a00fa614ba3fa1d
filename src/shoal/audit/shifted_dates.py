"""Shifted dates: realigned by the days between the dates of one person."""

from __future__ import annotations

from typing import ClassVar

from shoal.audit.adversary_view import Scene
from shoal.audit.contract import Attack, Outcome, Risk
from shoal.audit.number_wording import counted
from shoal.audit.scorer import Referee


class AlignedDates(Attack):
    """Compare the days between true dates with those between published ones: a shift does not change them.

    If a pseudonym joins the records of a person, all dates of all of them are compared, otherwise those of one record.
    A pattern of days that exactly one person and one record (or pseudonym) have is a guess: it identifies the person
    and shows by how much the dates were shifted. The rate is the share of records (or pseudonyms) identified correctly,
    the baseline the chance of guessing a shift.

    Stopped by: one date per record.

    Cost: O(dates · log dates).

    Reference: our own.
    """

    name: ClassVar[str] = "aligned-dates"
    story: ClassVar[str] = (
        "An adversary knows on which days people came and went, and looks for the same numbers of days between the "
        "shifted dates."
    )
    remedy: ClassVar[str] = (
        "Publish only one date per record, or coarser dates (bands: month, quarter), or make the dates "
        "quasi-identifiers."
    )

    def lacks(self, scene: Scene) -> str:
        """Requires shifted dates that are published to the day."""
        return "" if scene.shifted else "It needs shifted dates that are published to the day, and there are none."

    def run(self, scene: Scene, referee: Referee) -> list[Risk]:
        """Report how many were aligned."""
        shifted = scene.shifted
        assert shifted is not None
        whom = "pseudonym" if shifted.are_linked else "record"
        days = f"By the days between {' and '.join(map(repr, shifted.names))}"
        says = f"{days} none of {counted(shifted.n_units, whom)} can be told to be somebody's."
        if shifted.n_right:
            certain = f"{counted(shifted.n_right, whom)} of {shifted.n_units:,} are somebody's for certain"
            says = f"{days} {certain}, and their dates can be moved back."
        rate, about = shifted.n_right / max(1, shifted.n_units), ", ".join(shifted.names)
        figures = {f"{whom}s": shifted.n_units, "guesses": shifted.n_guessed, "right": shifted.n_right}
        outcome: Outcome = "falls" if shifted.n_right else "stopped"
        return [Risk(self.name, outcome, says, rate, min(rate, shifted.chance), about=about, figures=figures)]
