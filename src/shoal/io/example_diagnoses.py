"""Diagnoses and lengths of hospital stays in the example: by age, sex and work."""

from __future__ import annotations

import numpy as np

from shoal.core.arrays import Codes, Offsets
from shoal.io.example_random import Draws

# Weights for ages 0-4, 5-14, 15-29, 30-49, 50-64, 65-79, 80+; women, men; no, manual, other work; typical days.
_Row = tuple[tuple[int, int, int, int, int, int, int], tuple[int, int], tuple[int, int, int], int]
_DIAGNOSES: dict[str, dict[str, _Row]] = {
    "heart and vessels": {
        "heart attack": ((0, 0, 1, 8, 30, 34, 26), (2, 4), (2, 3, 2), 7),
        "heart failure": ((0, 0, 0, 3, 16, 40, 70), (3, 3), (3, 2, 2), 9),
        "stroke": ((0, 0, 1, 5, 18, 38, 52), (3, 3), (3, 2, 2), 11),
        "high blood pressure": ((0, 0, 2, 12, 22, 22, 16), (3, 3), (2, 2, 3), 3),
        "irregular heartbeat": ((0, 1, 3, 6, 18, 34, 30), (3, 3), (2, 2, 2), 4),
    },
    "cancer": {
        "breast cancer": ((0, 0, 1, 14, 22, 20, 12), (10, 0), (2, 2, 3), 6),
        "prostate cancer": ((0, 0, 0, 1, 16, 32, 18), (0, 10), (2, 2, 2), 7),
        "lung cancer": ((0, 0, 0, 4, 20, 24, 10), (2, 4), (2, 4, 1), 8),
        "bowel cancer": ((0, 0, 0, 4, 16, 24, 18), (3, 4), (2, 2, 2), 10),
        "leukaemia": ((4, 3, 2, 3, 5, 7, 5), (3, 4), (2, 2, 2), 16),
    },
    "lungs": {
        "asthma": ((24, 26, 14, 9, 7, 6, 4), (3, 3), (3, 3, 2), 3),
        "chronic bronchitis": ((0, 0, 0, 4, 18, 28, 20), (2, 4), (2, 4, 1), 8),
        "pneumonia": ((40, 14, 8, 9, 14, 26, 48), (3, 3), (3, 2, 2), 8),
    },
    "infections": {
        "influenza": ((36, 16, 8, 7, 8, 12, 22), (3, 3), (3, 2, 2), 4),
        "HIV infection": ((0, 0, 9, 10, 5, 1, 0), (1, 4), (2, 2, 2), 6),
        "hepatitis C": ((0, 0, 3, 7, 6, 3, 1), (2, 4), (4, 2, 1), 5),
        "gastroenteritis": ((60, 24, 12, 8, 7, 10, 16), (3, 3), (3, 2, 2), 3),
        "tuberculosis": ((1, 1, 3, 3, 2, 2, 2), (2, 4), (4, 2, 1), 18),
    },
    "mind": {
        "depression": ((0, 5, 34, 32, 24, 12, 8), (4, 2), (4, 2, 3), 18),
        "alcohol dependence": ((0, 0, 14, 30, 26, 9, 2), (1, 4), (4, 3, 2), 9),
        "schizophrenia": ((0, 0, 14, 12, 6, 2, 1), (3, 3), (6, 1, 1), 21),
        "eating disorder": ((0, 8, 16, 3, 1, 0, 0), (9, 1), (3, 1, 2), 24),
        "burnout": ((0, 0, 8, 22, 16, 1, 0), (3, 2), (1, 1, 6), 14),
        "dementia": ((0, 0, 0, 0, 4, 26, 96), (4, 3), (3, 2, 2), 15),
    },
    "injuries": {
        "broken bone": ((22, 58, 40, 22, 24, 30, 60), (3, 3), (3, 4, 2), 6),
        "concussion": ((40, 44, 26, 10, 7, 9, 14), (2, 3), (3, 3, 2), 2),
        "burn": ((18, 6, 6, 5, 4, 3, 3), (2, 3), (2, 4, 1), 8),
        "torn ligament": ((0, 10, 30, 18, 10, 3, 1), (2, 3), (2, 4, 2), 3),
    },
    "pregnancy and birth": {
        "birth": ((0, 0, 130, 78, 0, 0, 0), (3, 0), (3, 2, 3), 4),
        "miscarriage": ((0, 0, 18, 14, 0, 0, 0), (3, 0), (3, 2, 3), 2),
        "early labour": ((0, 0, 16, 10, 0, 0, 0), (3, 0), (3, 3, 2), 6),
    },
    "digestion and metabolism": {
        "diabetes": ((1, 5, 6, 9, 20, 26, 20), (3, 3), (3, 3, 2), 7),
        "gallstones": ((0, 1, 8, 18, 20, 16, 10), (4, 2), (2, 2, 3), 4),
        "appendicitis": ((4, 40, 34, 14, 6, 4, 3), (3, 3), (2, 2, 2), 4),
        "kidney stones": ((0, 1, 8, 18, 18, 10, 4), (2, 4), (2, 3, 2), 3),
    },
    "back and joints": {
        "slipped disc": ((0, 0, 8, 30, 30, 14, 5), (3, 3), (2, 6, 2), 6),
        "worn hip": ((0, 0, 0, 3, 22, 40, 28), (4, 3), (2, 4, 2), 9),
        "rheumatism": ((0, 2, 4, 9, 13, 12, 8), (5, 2), (3, 2, 2), 8),
    },
}

GROUPS: dict[str, list[str]] = {group: list(rows) for group, rows in _DIAGNOSES.items()}
"""The diagnoses by group."""

DIAGNOSES = [name for names in GROUPS.values() for name in names]
_ROWS = [row for rows in _DIAGNOSES.values() for row in rows.values()]
_AGES = np.array([5, 15, 30, 50, 65, 80])
_DAYS = np.array([row[3] for row in _ROWS], np.int64)
_SPREAD = np.array([2, 3, 4, 5, 5, 6, 6, 7, 8, 8, 9, 10, 12, 14, 18, 26], np.int64)


_BY_AGE, _BY_SEX, _BY_WORK = (np.array(weights, np.int64).T for weights in [*zip(*_ROWS, strict=True)][:3])
_WEIGHTS: Offsets = (_BY_AGE[:, None, None] * _BY_SEX[:, None] * _BY_WORK).reshape(-1, len(_ROWS))
"""Weights of the diagnoses by age, sex and work."""


def draw_diagnoses(draws: Draws, ages: Offsets, is_man: Codes, work: Codes) -> Codes:
    """Draw the diagnosis of each person, as a position in ``DIAGNOSES``. O(rows)."""
    bands = np.searchsorted(_AGES, ages, side="right")
    return draws.choose_by("diagnosis", (6 * bands + 3 * is_man + work).astype(np.int32), _WEIGHTS)


def draw_stays(draws: Draws, diagnoses: Codes, ages: Offsets) -> Offsets:
    """Draw days in hospital: typical for the diagnosis, longer for the old, with a long tail."""
    typical = _DAYS[diagnoses] * (100 + np.maximum(ages - 40, 0))
    days: Offsets = 1 + typical * _SPREAD[draws.below("stay", _SPREAD.size)] // 1000
    return days
