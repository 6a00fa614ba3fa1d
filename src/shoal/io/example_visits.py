"""The bundled example with several rows per person: the visits of a hospital's fictional patients."""

from __future__ import annotations

from typing import Final

import numpy as np
import polars as pl

from shoal.io.example import people
from shoal.io.example_diagnoses import DIAGNOSES
from shoal.io.example_random import Draws

VISIT_ROLES: Final[dict[str, list[str]]] = {
    "quasi_identifiers": ["birth_date", "postcode", "sex", "visit_date"],
    "sensitive": ["diagnosis"],
}
"""The role of each column; ``patient_id`` is the person key."""

_VISITS = [0, 200, 180, 160, 130, 100, 70, 50, 40, 30, 20, 12, 8]
"""Number of people in a thousand with 0, 1, 2, … visits."""

_DAYS = 3 * 365
_FIRST_DAY = 18_993  # 2022-01-01


def visits(n_people: int = 5_000) -> pl.DataFrame:
    """The visits of ``n_people`` patients, four each on average and up to twelve, in order of date.

    Dates and places of birth, sexes and diagnoses are those of ``people``; one visit in four has a random diagnosis.
    Person keys reveal nothing about the order of visits: they follow the order in which patients were drawn.
    """
    patients = people(n_people).select("birth_date", "postcode", "sex", "diagnosis")
    often = Draws(n_people).choose("visits", _VISITS)
    whose = np.repeat(np.arange(n_people), often)
    draws = Draws(whose.size)
    of_each = patients[whose]
    other = pl.Series(DIAGNOSES).gather(draws.below("other diagnosis", len(DIAGNOSES)))
    is_same = pl.Series(draws.below("same diagnosis", 4) > 0)
    days = pl.Series((_FIRST_DAY + draws.below("visit", _DAYS)).astype(np.int32)).cast(pl.Date)
    frame = pl.DataFrame(
        {
            "patient_id": pl.Series((whose * 7_919 + 104_729) % 10_000_019).cast(pl.String).str.zfill(8),
            **{name: of_each[name] for name in ("birth_date", "postcode", "sex")},
            "visit_date": days,
            "diagnosis": of_each["diagnosis"].zip_with(is_same, other),
        }
    )
    return frame.sort("visit_date", maintain_order=True)
