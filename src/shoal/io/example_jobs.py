"""Jobs in the example: by age, sex, education and place."""

from __future__ import annotations

import numpy as np

from shoal.core.arrays import Codes, Flags, Offsets
from shoal.io.example_random import Draws

# Women, men; low, middle, high education; town, village.
_OCCUPATIONS: dict[str, dict[str, tuple[int, int, int, int, int, int, int]]] = {
    "health": {
        "nurse": (30, 5, 1, 8, 3, 2, 2),
        "doctor": (6, 6, 0, 0, 9, 3, 1),
        "care assistant": (22, 5, 6, 5, 0, 2, 2),
        "pharmacist": (4, 2, 0, 1, 6, 2, 2),
        "paramedic": (2, 5, 1, 6, 1, 2, 2),
    },
    "teaching": {
        "primary teacher": (18, 3, 0, 1, 9, 2, 2),
        "secondary teacher": (12, 8, 0, 0, 9, 3, 1),
        "nursery teacher": (16, 1, 2, 8, 1, 2, 2),
        "researcher": (3, 4, 0, 0, 7, 5, 0),
    },
    "office": {
        "clerk": (30, 9, 3, 8, 2, 3, 2),
        "accountant": (10, 8, 0, 4, 6, 3, 2),
        "civil servant": (12, 11, 1, 5, 5, 3, 2),
        "programmer": (4, 16, 0, 3, 7, 5, 1),
        "lawyer": (3, 4, 0, 0, 7, 4, 1),
        "manager": (6, 15, 0, 3, 7, 3, 1),
        "journalist": (2, 2, 0, 1, 5, 5, 0),
    },
    "sales and service": {
        "shop assistant": (28, 10, 7, 6, 1, 3, 2),
        "cook": (6, 10, 6, 5, 0, 2, 2),
        "waiter": (10, 6, 7, 4, 1, 3, 1),
        "cleaner": (18, 4, 9, 1, 0, 2, 2),
        "hairdresser": (10, 1, 4, 6, 0, 2, 2),
        "police officer": (2, 7, 0, 6, 3, 3, 1),
        "guard": (1, 6, 6, 4, 0, 3, 1),
    },
    "trades": {
        "electrician": (1, 15, 2, 8, 1, 2, 3),
        "plumber": (1, 11, 3, 8, 0, 2, 3),
        "carpenter": (1, 12, 3, 8, 0, 1, 4),
        "mechanic": (1, 16, 4, 8, 0, 2, 3),
        "bricklayer": (0, 14, 7, 6, 0, 2, 3),
        "baker": (3, 6, 4, 7, 0, 2, 3),
        "factory worker": (9, 22, 8, 5, 0, 3, 2),
        "engineer": (3, 16, 0, 2, 8, 3, 2),
    },
    "transport": {
        "lorry driver": (1, 18, 7, 5, 0, 2, 3),
        "bus driver": (1, 6, 5, 5, 0, 3, 1),
        "warehouse worker": (6, 14, 8, 4, 0, 3, 2),
        "pilot": (0, 1, 0, 1, 3, 3, 1),
    },
    "land": {
        "farmer": (5, 12, 4, 6, 2, 0, 9),
        "gardener": (2, 7, 5, 6, 1, 1, 3),
        "forester": (0, 3, 2, 5, 2, 0, 6),
    },
}
_AT_HOME = ["child", "pupil", "student", "retired", "homemaker", "unemployed", "unable to work"]

GROUPS: dict[str, list[str]] = {group: list(jobs) for group, jobs in _OCCUPATIONS.items()} | {"not in work": _AT_HOME}
"""The jobs by group."""

JOBS = [job for jobs in GROUPS.values() for job in jobs]
"""All jobs: the occupations first, then people not in work."""

_N_OCCUPATIONS = len(JOBS) - len(_AT_HOME)
_MANUAL = {"sales and service", "trades", "transport", "land"}
_WORK = {job: 1 if group in _MANUAL else 2 for group, jobs in _OCCUPATIONS.items() for job in jobs}
WORK_OF_JOB = np.array([_WORK.get(job, 0) for job in JOBS], np.int32)
"""The type of work: 0 none, 1 manual, 2 other."""

# The age at which each stage of life begins, then weights of being at work or one of _AT_HOME; women, then men.
_STAGES = np.array([6, 16, 19, 25, 35, 50, 60, 64, 67, 75])
_STATUS = np.array(
    [
        [[0, 1, 0, 0, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0, 0, 0]],
        [[0, 0, 1, 0, 0, 0, 0, 0], [0, 0, 1, 0, 0, 0, 0, 0]],
        [[14, 0, 78, 3, 0, 1, 4, 0], [19, 0, 73, 2, 0, 0, 6, 0]],
        [[48, 0, 2, 40, 0, 4, 5, 1], [55, 0, 2, 34, 0, 0, 8, 1]],
        [[72, 0, 0, 7, 0, 13, 6, 2], [84, 0, 0, 6, 0, 1, 7, 2]],
        [[78, 0, 0, 1, 0, 13, 5, 3], [88, 0, 0, 1, 0, 1, 6, 4]],
        [[73, 0, 0, 0, 3, 12, 5, 7], [80, 0, 0, 0, 3, 1, 7, 9]],
        [[52, 0, 0, 0, 24, 11, 4, 9], [60, 0, 0, 0, 22, 1, 6, 11]],
        [[24, 0, 0, 0, 64, 7, 1, 4], [31, 0, 0, 0, 62, 1, 1, 5]],
        [[5, 0, 0, 0, 93, 2, 0, 0], [9, 0, 0, 0, 91, 0, 0, 0]],
        [[1, 0, 0, 0, 99, 0, 0, 0], [2, 0, 0, 0, 98, 0, 0, 0]],
    ],
    np.int64,
).reshape(-1, 1 + len(_AT_HOME))

# Weights of low, middle, high education: born before 1945, before 1970, later; village, then town; women, then men.
_EDUCATION = np.array(
    [
        [[[62, 34, 4], [44, 46, 10]], [[54, 35, 11], [32, 44, 24]]],
        [[[30, 56, 14], [24, 58, 18]], [[24, 50, 26], [20, 50, 30]]],
        [[[14, 52, 34], [18, 56, 26]], [[12, 40, 48], [14, 44, 42]]],
    ],
    np.int64,
).reshape(-1, 3)


_BY = np.array([row for jobs in _OCCUPATIONS.values() for row in jobs.values()], np.int64).T
_WEIGHTS: Offsets = (_BY[:2, None, None] * _BY[2:5, None] * _BY[[6, 5]]).reshape(-1, _N_OCCUPATIONS)
"""Weights of the occupations by sex, education and place (village, town)."""


def draw_jobs(draws: Draws, ages: Offsets, is_man: Codes, is_town: Flags) -> Codes:
    """Draw the job of each person, as a position in ``JOBS``. O(rows)."""
    cohorts = np.searchsorted([55, 80], ages, side="right")
    education = draws.choose_by("education", (4 * (2 - cohorts) + 2 * is_town + is_man).astype(np.int32), _EDUCATION)
    stages = np.searchsorted(_STAGES, ages, side="right")
    status = draws.choose_by("status", (2 * stages + is_man).astype(np.int32), _STATUS)
    groups = (6 * is_man + 2 * education + is_town).astype(np.int32)
    occupations = draws.choose_by("occupation", groups, _WEIGHTS)
    return np.where(status == 0, occupations, _N_OCCUPATIONS - 1 + status).astype(np.int32)
