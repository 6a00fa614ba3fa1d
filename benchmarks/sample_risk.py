"""How long the risks of a large weighted sample take: individual risk and SUDA2 on a million rows with eight keys.

Usage: python benchmarks/sample_risk.py [ROWS]
"""

from __future__ import annotations

import sys
from time import perf_counter

import numpy as np

from shoal.audit.suda import suda
from shoal.kernels.distinct import number_rows
from shoal.models.population_frequencies import individual_risk

WIDTHS = (2, 5, 9, 16, 40, 7, 14, 75)
"""How many values each key has: about those of Adult."""


def main(n_rows: int = 1_000_000) -> None:
    """Print the seconds."""
    dice = np.random.default_rng(0)
    codes = np.array([np.minimum(dice.geometric(min(0.6, 3 / width), n_rows), width) - 1 for width in WIDTHS], np.int32)
    weights = dice.uniform(1, 100, n_rows)
    number_rows(codes[:, :10])
    individual_risk(np.array([3]), np.array([9.0]))
    start = perf_counter()
    ids, firsts = number_rows(codes)
    records = np.bincount(ids, minlength=firsts.size)
    risks = individual_risk(records, np.bincount(ids, weights, firsts.size).astype(np.float64))[ids]
    keys = f"{n_rows:,} rows x {len(WIDTHS)} keys"
    print(f"individual risk of {keys}: {perf_counter() - start:.2f} s, {risks.sum():,.1f} found in all")
    start = perf_counter()
    found = suda(codes)
    print(f"SUDA2 of {keys}: {perf_counter() - start:.1f} s, {found.n_special:,} special records")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]))
