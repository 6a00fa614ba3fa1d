"""How near the best possible releases of Adult are: the floor, found and checked, for k = 5 and 10.

Usage: python benchmarks/certificate.py [SECONDS] [K …]

Adult 30,162 × 9 with ARX's hierarchies, mean LM; the release is made by ``clustering`` in ten seconds.
Kernels are warm. Needs SHOAL_DATA.
"""

from __future__ import annotations

import sys
from time import perf_counter, process_time

import tables
from shoal.algorithms import Clustering
from shoal.algorithms.relaxation import find_floor
from shoal.core.contracts import Goal
from shoal.core.progress import Silent
from shoal.core.randomness import Randomness
from shoal.core.table import Table
from shoal.metrics import LM
from shoal.models import KAnonymity


def certified(table: Table, k: int, seconds: float) -> str:
    """A line of the table."""
    goal = Goal((KAnonymity(k),), LM())
    release = Clustering(budget=min(seconds, 10.0)).run(table, goal, Randomness(1), Silent())
    wall, cpu = perf_counter(), process_time()
    floor = find_floor(release, goal, Randomness(1), Silent(), seconds)
    spent = f"{perf_counter() - wall:.0f} | {process_time() - cpu:.0f}"
    return f"| {k} | {floor.loss:.4f} | {floor.value:.4f} | {100 * floor.above:.1f}% | {spent} |"


def main() -> None:
    """Print the table."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 60.0
    table = tables.adult()
    certified(table, 500, 1.0)
    print(
        "| k | LM of the release | floor | at most above the best | seconds | CPU seconds |\n|---|---|---|---|---|---|"
    )
    for k in map(int, sys.argv[2:] or ("5", "10")):
        print(certified(table, k, seconds), flush=True)


if __name__ == "__main__":
    main()
