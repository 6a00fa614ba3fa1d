"""How fast machine code for a baseline is, beside code for this processor: ``python benchmarks/baseline.py [ROWS]``.

The kernels of a default run, on the generated census (20,000 rows unless others are asked for), k = 10 and LM, with the
same seed and number of steps. Either is compiled and run in processes of its own, by turns; the least processor seconds
of three runs count. Both have to make the same release, bit for bit.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from time import process_time

from shoal.algorithms import Agglomerative, Mondrian
from shoal.algorithms.clustering import Refined, Search
from shoal.core.contracts import Algorithm, Goal
from shoal.core.progress import Silent
from shoal.core.randomness import Randomness
from shoal.kernels.bundled_code import PROCESSOR, runs_baseline
from shoal.metrics import LM
from shoal.models import KAnonymity
from tables import generated

CASES: dict[str, Algorithm] = {
    "mondrian": Mondrian(relaxed=True),
    "agglomerative": Agglomerative(block=1_000),
    "mondrian and search": Refined(Mondrian(relaxed=True), (Search(8_000),)),
}
PROCESSORS = {"native": {}, "baseline": {"NUMBA_CPU_NAME": PROCESSOR, "NUMBA_CPU_FEATURES": ""}}
TURNS = 3

Spent = dict[str, tuple[float, str]]
"""Processor seconds and a digest of the release, by case."""


def here(n_rows: int) -> Spent:
    """Each case once, after a run that loads or compiles its kernels."""
    goal, table, spent = Goal((KAnonymity(10),), LM()), generated(n_rows), Spent()
    table.distinct  # noqa: B018 (grouped before the clock starts)
    for name, algorithm in CASES.items():
        algorithm.run(generated(2_000), goal, Randomness(1), Silent())
        began = process_time()
        release = algorithm.run(table, goal, Randomness(1), Silent())
        seconds = process_time() - began
        made = release.classes.offsets.tobytes() + release.classes.members.tobytes()
        spent[name] = seconds, hashlib.sha256(made).hexdigest()
    return spent


def elsewhere(processor: str, n_rows: int) -> Spent:
    """The same in a process that compiles for the processor."""
    command = [sys.executable, __file__, str(n_rows), "here"]
    env = os.environ | PROCESSORS[processor]
    done = subprocess.run(command, env=env, check=True, capture_output=True, text=True)
    return {name: (spent, made) for name, (spent, made) in json.loads(done.stdout).items()}


def main(n_rows: int) -> None:
    """Print seconds and ratios."""
    if not runs_baseline():
        raise SystemExit(f"This processor does not run code for {PROCESSOR}.")
    turns = [{name: elsewhere(name, n_rows) for name in PROCESSORS} for _ in range(TURNS)]
    print(f"{n_rows:,} rows, processor seconds, the least of {TURNS} runs\n")
    print(f"{'':22}{'native':>10}{PROCESSOR:>12}{'ratio':>8}")
    for case in CASES:
        native, baseline = (min(turn[name][case] for turn in turns) for name in PROCESSORS)
        assert len({turn[name][case][1] for turn in turns for name in PROCESSORS}) == 1, f"{case}: other releases"
        print(f"{case:22}{native[0]:10.2f}{baseline[0]:12.2f}{baseline[0] / native[0]:8.2f}")


if __name__ == "__main__":
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
    if sys.argv[2:] == ["here"]:
        print(json.dumps(here(rows)))
    else:
        main(rows)
