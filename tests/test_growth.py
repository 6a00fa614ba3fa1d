"""How cost grows with the rows: exponents, not times, so that a slow machine does not matter.

``benchmarks/growth.py`` measures the same, and columns, k and domains as well, over larger sizes.
"""

from __future__ import annotations

import pytest

from shoal.algorithms import ALL
from shoal.core.contracts import PrivacyModel
from shoal.models import KAnonymity, UniformMatching
from support.growth import exponent, seconds_of, table_of

LIMITS: dict[str, tuple[PrivacyModel, tuple[int, int], float]] = {
    "mondrian": (KAnonymity(10), (20_000, 160_000), 1.45),
    "hilbert": (KAnonymity(10), (10_000, 80_000), 1.45),
    "lexicographic": (KAnonymity(10), (10_000, 80_000), 1.45),
    "lattice": (KAnonymity(10), (10_000, 80_000), 1.4),
    "nonhomogeneous": (UniformMatching(10), (10_000, 80_000), 1.45),
    "agglomerative": (KAnonymity(10), (1_500, 6_000), 2.35),
}
"""Per algorithm a promise, two numbers of rows, and the exponent that must not be passed."""


@pytest.mark.parametrize("name", LIMITS)
def test_cost_grows_no_faster_than_it_did(name: str) -> None:
    promise, sizes, limit = LIMITS[name]
    algorithm = ALL[name]()
    seconds_of(algorithm, table_of(sizes[0] // 4), promise)  # compiled now
    tables = [table_of(size) for size in sizes]
    times = [float("inf")] * len(sizes)
    for _ in range(4):  # once more where other processes may have been in the way of one size
        times = [min(least, seconds_of(algorithm, t, promise, 3)) for least, t in zip(times, tables, strict=True)]
        if exponent(sizes, times) <= limit:
            return
    pytest.fail(f"{times[0]:.3f} s for {sizes[0]:,} rows, {times[1]:.3f} s for {sizes[1]:,}")
