"""The default beside the quick one, its starts and ARX's local recoding, on every data set.

Usage: python benchmarks/default.py [TABLE …] [K …] [idle]
       python benchmarks/default.py million [K …] [idle]

LM (GCP for "adult sets") and CPU seconds, all minimising LM; "idle" counts CPU seconds over cores instead of the clock,
as on a machine that does nothing else. ``above`` marks where the default loses more than the best of the others. The
last lines are whole commands on Adult with nine columns, from the command line to the file: seconds on the clock and of
all processors. ``million`` runs the default and a budget of 30 seconds on a million rows whose columns are drawn from
Adult's nine, with ARX's hierarchies. Needs SHOAL_DATA.
"""

from __future__ import annotations

import resource
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic

import idle_clock  # noqa: F401 (first: it may set the clock)
import tables
from data import resampled
from local_recoding import SIZES, run
from shoal.algorithms import Agglomerative, Hilbert, Mondrian
from shoal.algorithms.clustering import Specialization
from shoal.core.contracts import Algorithm, Goal
from shoal.core.schema import Schema
from shoal.core.table import Table
from shoal.engine.algorithm_choice import choose_algorithm
from shoal.io.encode import encode
from shoal.metrics import GCP, LM
from shoal.models import KAnonymity

STARTS: dict[str, Algorithm] = {
    "mondrian": Mondrian(relaxed=True),
    "hilbert": Hilbert(),
    "agglomerative": Agglomerative(),
}
ARX = {("adult", 5): 0.0591, ("adult", 10): 0.0830}
"""ARX's best local recoding of Adult, nine columns with its hierarchies, as published; mean LM."""

AIMS = {("adult", 5): 0.0510, ("adult", 10): 0.0790, ("adult sets", 5): 0.018, ("adult sets", 10): 0.034}


def losses(name: str, table: Table, k: int) -> None:
    """One line: the default, with a seed and without, the others, ARX, and a verdict."""
    goal = Goal((KAnonymity(k),), LM())
    measure = GCP() if name == "adult sets" else LM()
    ways: dict[str, Algorithm] = {
        "default": choose_algorithm("auto", table, goal).algorithm,
        "with a seed": choose_algorithm("auto", table, goal, is_repeatable=True).algorithm,
        **STARTS,
    }
    if all(column.recoding.closes_to_nodes for column in table.quasi):
        ways["cuts by gain"] = Specialization()
    found = {}
    for way, algorithm in ways.items():
        done = run(algorithm, table, k)
        found[way] = measure.score(done.release)
        print(f"{way} {found[way]:.4f} ({done.cpu:.1f})", end="; ", flush=True)
    theirs, aim = ARX.get((name, k)), AIMS.get((name, k))
    told = [f"{word} {loss:.4f}" for word, loss in (("ARX", theirs), ("aim", aim)) if loss is not None]
    most = min(loss for loss in (*(found[way] for way in STARTS), theirs, aim) if loss is not None)
    verdict = "above" if max(found["default"], found["with a seed"]) > most else "best"
    print("; ".join([*told, verdict]), flush=True)


def commands() -> None:
    """From the command line to the file."""
    data = tables.folder() / "adult-arx"
    names = (data / "adult.csv").read_text("utf-8").splitlines()[0].split(";")
    trees = [f"--hierarchy={name}={data / 'hierarchies' / f'adult_hierarchy_{name}.csv'}" for name in names]
    with TemporaryDirectory() as folder:
        for number, k in enumerate((5, 10)):
            for words in ([], ["--algorithm", "mondrian:relaxed"]):
                said = [str(data / "adult.csv"), "--quasi", ",".join(names), "--k", str(k), *trees]
                before, wall = _spent(), monotonic()
                target = str(Path(folder, f"{number}-{len(words)}.csv"))
                command = [sys.executable, "-m", "shoal", "anonymize", *said, *words, "-o", target, "-q"]
                subprocess.run(command, check=True)
                print(f"anonymize adult.csv --k {k} {' '.join(words)}: {monotonic() - wall:.1f} s, "
                      f"{_spent() - before:.1f} CPU s", flush=True)  # fmt: skip


def _spent() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def million(ks: Sequence[int]) -> None:
    """What thirty seconds gain over the default where rows are many."""
    frame = resampled(tables.read_csv("adult-arx/adult.csv", ";"), 1_000_000)
    trees = tables.read_trees("adult-arx/hierarchies", frame.columns, "adult")
    table = encode(frame, Schema(tuple(frame.columns), hierarchies=trees)).table
    print(f"{table.n_rows:,} rows, {table.n_quasi} columns, {table.distinct.firsts.size:,} distinct", flush=True)
    for k in ks:
        for way, seconds in (("quick", None), ("default", None), ("30 s", 30.0)):
            goal = Goal((KAnonymity(k),), LM())
            chosen = choose_algorithm("auto", table, goal, seconds, quick=way == "quick").algorithm
            done = run(chosen, table, k)
            print(f"k = {k}, {way}: LM {LM().score(done.release):.5f} ({done.cpu:.1f} CPU s)", flush=True)


def main(asked: Sequence[str]) -> None:
    """All tables and sizes, or those that are named."""
    ks = [int(word) for word in asked if word.isdigit()] or SIZES
    if "million" in asked:
        million(ks)
        return
    for name in [word for word in asked if word in tables.TABLES] or tables.TABLES:
        table = tables.TABLES[name]()
        print(f"{name}: {table.n_rows:,} rows, {table.n_quasi} columns, {table.distinct.firsts.size:,} distinct")
        for k in ks:
            print(f"  k = {k}: ", end="")
            losses(name, table, k)
    commands()


if __name__ == "__main__":
    main(sys.argv[1:])
