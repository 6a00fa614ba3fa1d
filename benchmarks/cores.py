"""How clustering, search and blocks scale with cores: ``python benchmarks/cores.py [ROWS]``, k = 10, LM.

Each case runs in a process of its own that may use one core, then two, on the generated census (200,000 rows unless
others are asked for). Seconds are by the clock, and of all processors. The work of the first thread is what no other
core can take over, so T(n) = first thread + rest / n is the model for 4, 8 and 16 cores, if the parts are even. On a
busy machine only the processor seconds, and so the model, mean anything.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter, process_time, thread_time

from shoal.algorithms import Agglomerative, Blocked, Clustering, Mondrian
from shoal.algorithms.clustering import Refined, Search
from shoal.core.contracts import Algorithm, Goal
from shoal.core.progress import Silent
from shoal.core.randomness import Randomness
from shoal.metrics import LM
from shoal.models import KAnonymity
from tables import generated

CASES: dict[str, Algorithm] = {
    "agglomerative, blocks of 5,000": Agglomerative(block=5_000),
    "mondrian, search of 20,000 steps": Refined(Mondrian(relaxed=True), (Search(20_000),)),
    "blocked, clustering of 500 steps": Blocked(Clustering(steps=500), rows=10_000),
}
MORE = (4, 8, 16)


@dataclass(frozen=True)
class Spent:
    """Seconds by the clock, of all processors, and of the first thread."""

    clock: float
    all: float
    first: float

    def on(self, n_cores: int) -> float:
        """The model."""
        return self.first + (self.all - self.first) / n_cores


def here(case: str, n_rows: int) -> Spent:
    """The second of two runs in this process; the first, on few rows, loads the kernels."""
    goal = Goal((KAnonymity(10),), LM())
    CASES[case].run(generated(2_000), goal, Randomness(1), Silent())
    table = generated(n_rows)
    table.distinct  # noqa: B018 (grouped before the clock starts)
    clock, everything, first = perf_counter(), process_time(), thread_time()
    CASES[case].run(table, goal, Randomness(1), Silent())
    return Spent(perf_counter() - clock, process_time() - everything, thread_time() - first)


def elsewhere(case: str, n_rows: int, n_cores: int) -> Spent:
    """In a process that sees so many cores."""
    command = [sys.executable, __file__, "case", case, str(n_rows), str(n_cores)]
    told = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return Spent(**json.loads(told))


def compare(n_rows: int) -> None:
    """A line for each case."""
    print(f"| {n_rows:,} rows | 1 core | 2 cores | faster | first thread | {' | '.join(f'{n} cores' for n in MORE)} |")
    print(f"|---|---|---|---|---|{'---|' * len(MORE)}")
    for case in CASES:
        one, two = (elsewhere(case, n_rows, n) for n in (1, 2))
        model = " | ".join(f"{two.on(n):.1f} s" for n in MORE)
        print(
            f"| {case} | {one.clock:.1f} s ({one.all:.1f}) | {two.clock:.1f} s ({two.all:.1f}) | "
            f"{one.clock / two.clock:.2f} × | {two.first / two.all:.0%} | {model} |",
            flush=True,
        )


def main(words: Sequence[str]) -> None:
    if words[:1] == ["case"]:
        case, n_rows, n_cores = words[1], int(words[2]), int(words[3])
        os.sched_setaffinity(0, list(os.sched_getaffinity(0))[:n_cores])
        os.cpu_count = lambda: n_cores
        print(json.dumps(here(case, n_rows).__dict__))
        return
    compare(int(words[0]) if words else 200_000)


if __name__ == "__main__":
    main(sys.argv[1:])
