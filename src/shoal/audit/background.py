"""Background knowledge: rule out a value or two."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from shoal.audit.about_values import ValueAttack
from shoal.audit.adversary_view import Scene
from shoal.audit.beliefs import Beliefs
from shoal.audit.contract import Outcome, Risk
from shoal.audit.number_wording import people
from shoal.audit.scorer import Referee
from shoal.core.parameters import whole_number


@dataclass(frozen=True)
class Background(ValueAttack):
    """Find the people whose value becomes certain once ``excluded`` values are ruled out, in the worst case.

    The baseline is the rate of homogeneity. If the column has no more values than that, ruling them out leaves one for
    everybody, and the baseline is 1.

    Stopped by: (excluded + 2)-diversity of the pools.

    Cost: O(members of the pools).

    Reference: Machanavajjhala, Gehrke, Kifer and Venkitasubramaniam 2006, l-Diversity: Privacy Beyond k-Anonymity;
    Ciriani et al. 2007, k-Anonymity (figure 18).
    """

    excluded: int = 1

    name: ClassVar[str] = "background"
    counts_owners: ClassVar[bool] = True
    story: ClassVar[str] = (
        "An adversary finds all records that may be a person's and also knows that the person does not have a certain "
        "sensitive value."
    )
    remedy: ClassVar[str] = (
        "Ask for l-diversity with l of at least 3, and one more for each further value that can be ruled out."
    )
    stopped_by: ClassVar[tuple[tuple[str, str], ...]] = (("l", "3"), ("l", "4"), ("l", "5"))

    def __post_init__(self) -> None:
        object.__setattr__(self, "excluded", whole_number("excluded", self.excluded, least=1))

    def weigh(self, beliefs: Beliefs, scene: Scene, referee: Referee) -> Risk:
        """Count people with few possible values."""
        is_there, name = beliefs.people > 0, beliefs.column.name
        n, rate = beliefs.count(is_there & (beliefs.n_values <= 1 + self.excluded))
        _, baseline = beliefs.count(is_there & (beliefs.n_values == 1))
        baseline = 1.0 if np.count_nonzero(beliefs.prior) <= 1 + self.excluded else baseline
        figures = {
            f"people certain after ruling out {b}": beliefs.count(is_there & (beliefs.n_values <= 1 + b))[0]
            for b in (1, 2, 3)
        }
        values = "a value" if self.excluded == 1 else f"{self.excluded} values"
        says = (
            f"An adversary who can rule out {values} of {name} may know the {name} of {n:,} of "
            f"{people(beliefs.n_people)} with certainty."
        )
        if n <= round(baseline * beliefs.n_people):
            says = f"Ruling out {values} of {name} reveals nobody's {name}, unless it was certain without the release."
        outcome: Outcome = "weak" if rate > baseline else "stopped"
        return Risk(self.name, outcome, says, rate, baseline, about=name, figures=figures)
