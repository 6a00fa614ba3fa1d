"""The bundled example: a hospital's table of fictional people.

It is generated from integers alone, so it is the same on every machine and with every version of numpy, and row ``r``
is the same for any number of rows. The modules ``example_country``, ``example_jobs`` and ``example_diagnoses`` describe
the fictional country.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import polars as pl

from shoal.core.arrays import Codes, Offsets
from shoal.errors import InputError
from shoal.io import example_country, example_diagnoses, example_jobs
from shoal.io.example_random import Draws

ROLES: Final[dict[str, Any]] = {
    "identifiers": ["name", "ssn", "email"],
    "quasi_identifiers": ["birth_date", "postcode", "sex", "marital_status", "job"],
    "sensitive": ["diagnosis"],
}
"""The role of each column; ``stay_days`` is an other column."""

MAX_ROWS: Final = 102_000_000
"""Beyond this the fictional social security numbers would repeat."""

_LAST_YEAR = 2024
_MARITAL: dict[str, list[str]] = {
    "together": ["married", "civil partnership"],
    "alone": ["single", "divorced", "separated", "widowed"],
}
# In steps of five years: relative numbers of people, and women per thousand.
_AGE_BANDS = [50, 30, 30, 40, 50, 65, 75, 70, 60, 60, 70, 80, 80, 80, 80, 75, 65, 40, 16, 4, 1]
_WOMEN = [480, 480, 490, 530, 580, 600, 600, 570, 530, 500, 490, 480, 480, 490, 500, 520, 560, 620, 700, 760, 820]
# Lower age limits; then weights of married, civil partnership, single, divorced, separated, widowed; women, then men.
_MARITAL_AGES = np.array([18, 25, 35, 50, 65, 80])
_MARITAL_WEIGHTS = np.array(
    [
        [[0, 0, 1, 0, 0, 0], [0, 0, 1, 0, 0, 0]],
        [[8, 2, 90, 0, 0, 0], [4, 1, 95, 0, 0, 0]],
        [[42, 6, 46, 3, 3, 0], [32, 5, 58, 3, 2, 0]],
        [[60, 4, 18, 12, 5, 1], [58, 4, 25, 9, 4, 0]],
        [[60, 2, 10, 18, 5, 5], [65, 2, 14, 14, 4, 1]],
        [[54, 1, 6, 13, 2, 24], [72, 1, 7, 10, 2, 8]],
        [[22, 0, 6, 6, 1, 65], [62, 0, 5, 5, 1, 27]],
    ],
    np.int64,
).reshape(-1, 6)


def people(n: int = 20_000) -> pl.DataFrame:
    """Return the first ``n`` patients. About 0.1 s for 20,000 rows, and proportionally more for more rows.

    Ages, sexes, places, jobs, marital states and diagnoses are realistically correlated; a few jobs and postcodes are
    missing, and children have no e-mail address. Nobody here exists: the social security numbers start with digits that
    were never issued, and the mail hosts are reserved.

    Raises:
        InputError: ``n`` is negative or above ``MAX_ROWS``.
    """
    if not 0 <= n <= MAX_ROWS:
        raise InputError(f"The example table has between 0 and {MAX_ROWS:,} rows, not {n:,}; ask for fewer.")
    draws = Draws(n)
    bands = draws.choose("age band", _AGE_BANDS)
    ages = 5 * bands.astype(np.int64) + draws.below("age", 5)
    is_man = (draws.below("sex", 1000) >= np.array(_WOMEN)[bands]).astype(np.int32)
    places = draws.choose("place", example_country.PEOPLE)
    jobs = example_jobs.draw_jobs(draws, ages, is_man, example_country.IS_TOWN[places])
    diagnoses = example_diagnoses.draw_diagnoses(draws, ages, is_man, example_jobs.WORK_OF_JOB[jobs])
    frame = pl.DataFrame(
        {
            **_identities(draws, ages, is_man),
            "birth_date": _birth_dates(draws, ages),
            "postcode": _unless(draws.below("no postcode", 100) < 1, _look_up(example_country.POSTCODES, places)),
            "sex": _look_up(["female", "male"], is_man),
            "marital_status": _marital_states(draws, ages, is_man),
            "job": _unless(draws.below("no job", 1000) < 25, _look_up(example_jobs.JOBS, jobs)),
            "stay_days": example_diagnoses.draw_stays(draws, diagnoses, ages),
            "diagnosis": _look_up(example_diagnoses.DIAGNOSES, diagnoses),
        }
    )
    return frame.rechunk()


def hierarchies() -> dict[str, object]:
    """Hierarchies that suit the example, as in job files."""
    return {
        "birth_date": {"builder": "dates", "levels": ["month", "quarter", "year", "decade"]},
        "postcode": {"builder": "mask"},
        "marital_status": {group: list(states) for group, states in _MARITAL.items()},
        "job": {group: list(jobs) for group, jobs in example_jobs.GROUPS.items()},
        "diagnosis": {group: list(names) for group, names in example_diagnoses.GROUPS.items()},
    }


def _look_up(words: list[str], positions: Codes) -> pl.Series:
    return pl.Series(words, dtype=pl.String).gather(pl.Series(positions.astype(np.uint32)))


def _unless(is_missing: np.ndarray[tuple[int], np.dtype[np.bool_]], values: pl.Series) -> pl.Series:
    """The values, set to missing where flagged."""
    return values.set(pl.Series(is_missing), None)


def _birth_dates(draws: Draws, ages: Offsets) -> pl.Series:
    """A random day in the year of birth, given the age reached last December."""
    starts = (_LAST_YEAR - ages - 1970).astype("datetime64[Y]")
    lengths = (starts + 1).astype("datetime64[D]") - starts.astype("datetime64[D]")
    days = starts.astype("datetime64[D]").astype(np.int64) + draws.below("birthday", lengths.astype(np.int64))
    return pl.Series(days.astype(np.int32)).cast(pl.Date)


def _marital_states(draws: Draws, ages: Offsets, is_man: Codes) -> pl.Series:
    groups = 2 * np.searchsorted(_MARITAL_AGES, ages, side="right") + is_man
    states = [state for states in _MARITAL.values() for state in states]
    return _look_up(states, draws.choose_by("marital status", groups.astype(np.int32), _MARITAL_WEIGHTS))


def _identities(draws: Draws, ages: Offsets, is_man: Codes) -> dict[str, pl.Series]:
    firsts, lasts = _first_names(draws, ages, is_man), _surnames(draws)
    hosts = _look_up(example_country.MAIL_HOSTS, draws.choose("mail host", example_country.MAIL_HOST_WEIGHTS))
    numbers = pl.Series(draws.below("mail number", 1000)).cast(pl.String)
    emails = (firsts + "." + lasts + "." + numbers + "@" + hosts).str.to_lowercase()
    return {"name": firsts + " " + lasts, "ssn": _numbers(draws.n_rows), "email": _unless(ages < 14, emails)}


def _first_names(draws: Draws, ages: Offsets, is_man: Codes) -> pl.Series:
    """Draw first names typical of the year of birth: a window of twenty names moves through the list."""
    n_names = len(example_country.WOMEN)
    start = (104 - ages) * (n_names - 20) // 104
    positions = start + draws.below("first name", 20) + n_names * is_man
    return _look_up(example_country.WOMEN + example_country.MEN, positions.astype(np.int32))


def _surnames(draws: Draws) -> pl.Series:
    """Combine two halves, each drawn with unequal weights."""
    heads = draws.choose("surname head", example_country.SURNAME_HEAD_WEIGHTS)
    tails = draws.choose("surname tail", example_country.SURNAME_TAIL_WEIGHTS)
    words = [head + tail for head in example_country.SURNAME_HEADS for tail in example_country.SURNAME_TAILS]
    return _look_up(words, heads * len(example_country.SURNAME_TAILS) + tails)


def _numbers(n_rows: int) -> pl.Series:
    """Distinct numbers such as ``000-12-3456`` in areas that were never issued: 000, then 666, then 900 to 999."""
    rows = np.arange(n_rows, dtype=np.int64)
    areas = pl.Series(np.array([0, 666, *range(900, 1000)])[rows // 1_000_000]).cast(pl.String).str.zfill(3)
    rest = pl.Series((rows % 1_000_000 * 617_283 + 71_993) % 1_000_000).cast(pl.String).str.zfill(6)
    return areas + "-" + rest.str.slice(0, 2) + "-" + rest.str.slice(2)
