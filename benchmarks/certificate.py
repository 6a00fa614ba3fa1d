"""How near the best possible releases of Adult are: a release, and the floor that is found for it and checked.

Usage: python benchmarks/certificate.py [SECONDS] [K …]

Adult 30,162 × 9 with ARX's hierarchies, mean LM, k = 5 and 10 unless said otherwise. The release is what ``auto``
publishes with a budget of so many seconds (60), and the certificate has as many again. Kernels are warm. Needs
SHOAL_DATA.
"""

from __future__ import annotations

import sys
from time import perf_counter, process_time

import tables
from shoal.algorithms.relaxation import find_floor
from shoal.core.contracts import Goal
from shoal.core.progress import Silent
from shoal.core.randomness import Randomness
from shoal.core.table import Table
from shoal.engine.algorithm_choice import choose_algorithm
from shoal.metrics import LM
from shoal.models import KAnonymity


def certified(table: Table, k: int, seconds: float) -> str:
    """A line of the table."""
    goal = Goal((KAnonymity(k),), LM())
    wall, cpu = perf_counter(), process_time()
    release = choose_algorithm("auto", table, goal, seconds).algorithm.run(table, goal, Randomness(1), Silent())
    made = f"{perf_counter() - wall:.0f} | {process_time() - cpu:.0f}"
    wall, cpu = perf_counter(), process_time()
    floor = find_floor(release, goal, Randomness(1), Silent(), seconds)
    found = f"{perf_counter() - wall:.0f} | {process_time() - cpu:.0f}"
    return f"| {k} | {floor.loss:.4f} | {made} | {floor.value:.4f} | {found} | {100 * floor.above:.1f}% |"


def main() -> None:
    """Print the table."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 60.0
    table = tables.adult()
    certified(table, 500, 10.0)
    print("| k | LM of the release | seconds | CPU s | floor | seconds | CPU s | at most above the best |")
    print("|---|---|---|---|---|---|---|---|")
    for k in map(int, sys.argv[2:] or ("5", "10")):
        print(certified(table, k, seconds), flush=True)


if __name__ == "__main__":
    main()
