"""The invented country: ten regions, each with a town of several postcodes and many villages."""

from __future__ import annotations

import numpy as np

from shoal.core.arrays import Flags, Offsets

# The first two digits; postcodes of the town and people in each; villages. A few big towns, many villages.
_REGIONS = (
    ("12", 30, 420, 24),
    ("24", 18, 330, 36),
    ("65", 14, 300, 44),
    ("31", 9, 260, 40),
    ("83", 8, 240, 56),
    ("47", 6, 220, 48),
    ("01", 5, 200, 40),
    ("58", 4, 180, 52),
    ("06", 3, 170, 44),
    ("03", 2, 150, 60),
)


def _postcodes() -> tuple[list[str], Offsets, Flags]:
    codes: list[str] = []
    people: list[int] = []
    is_town: list[bool] = []
    for prefix, n_quarters, quarter, n_villages in _REGIONS:
        codes += [f"{prefix}{100 + number}" for number in range(1, n_quarters + 1)]
        people += [quarter - 4 * number for number in range(n_quarters)]
        codes += [f"{prefix}{200 + number * 37 % 800}" for number in range(n_villages)]
        people += [10 + 700 // (number + 5) for number in range(n_villages)]
        is_town += [True] * n_quarters + [False] * n_villages
    return codes, np.array(people, np.int64), np.array(is_town)


POSTCODES, PEOPLE, IS_TOWN = _postcodes()
"""Every postcode, how many people live there (in proportion), and whether it is part of a town."""
