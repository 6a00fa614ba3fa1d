"""shoal beside ARX on Adult, 30,162 rows, nine quasi-identifiers with ARX's hierarchies: CPU seconds and loss.

ARX's figures are those of ARX 3.9.2 on a like machine (``reference/peers.md``); where ``SHOAL_ARX_JAR`` names its jar
it runs here as well and its seconds of this run stand in their place. The loss of one level per column is LM by
geometric mean, of local recoding the mean of LM. Kernels, and Java, are warm.
"""

from __future__ import annotations

import os
import tempfile
from dataclasses import dataclass
from pathlib import Path
from time import process_time

import polars as pl

import verdicts
from full_domain import ARX, adult, timed
from peers import Job, Tool, answered
from shoal.algorithms import Agglomerative, Clustering
from shoal.algorithms.lattice import Lattice
from shoal.core.contracts import Algorithm, Goal
from shoal.core.progress import Silent
from shoal.core.randomness import Randomness
from shoal.metrics import LM, LMGeometric
from shoal.models import KAnonymity

LOSS = {(2, 0.0): 0.5297, (5, 0.0): 0.5732, (5, 0.05): 0.2419, (10, 0.05): 0.2913, (5, 1.0): 0.2204, (100, 1.0): 0.3958}
LOCAL = {5: (5.7, 0.0591), 10: (8.9, 0.0830)}
"""ARX's best local recoding: CPU seconds and LM by k."""

WAYS: dict[str, Algorithm] = {"agglomerative": Agglomerative(), "clustering, 10 s": Clustering(budget=10.0)}
JAR = "SHOAL_ARX_JAR" in os.environ


@dataclass(frozen=True)
class Row:
    """One task: seconds and loss of ARX and of shoal."""

    task: str
    theirs: tuple[float, float]
    ours: tuple[float, float]

    def __str__(self) -> str:
        (their_time, their_loss), (our_time, our_loss) = self.theirs, self.ours
        times = f"{their_time:.2f} | {our_time:.2f} | {their_time / our_time:.1f}"
        return f"| {self.task} | {times} | {their_loss:.4f} | {our_loss:.4f} |"


def optimum(k: int, limit: float) -> Row:
    """The best of one level per column."""
    goal, table = Goal((KAnonymity(k),), LMGeometric(), limit), adult()
    seconds, _ = timed(table, goal, Lattice())
    loss = Lattice().search(table, goal).score
    theirs = seconds_here(k, f"limit={limit}") or ARX[k, limit]
    return Row(f"optimum, k = {k}, {limit:.0%} of rows may go", (theirs, LOSS[k, limit]), (seconds, loss))


def local(k: int, name: str) -> Row:
    """Groups that share their cells, no row left out."""
    goal = Goal((KAnonymity(k),), LM())
    start = process_time()
    release = WAYS[name].run(adult(), goal, Randomness(1), Silent())
    ours = process_time() - start, LM().score(release)
    seconds, loss = LOCAL[k]
    return Row(f"local recoding, k = {k}, {name}", (seconds_here(k, "local=100") or seconds, loss), ours)


def seconds_here(k: int, more: str) -> float | None:
    """CPU seconds of ARX in this run, where there is a jar."""
    if not JAR:
        return None
    source = Path(os.environ["SHOAL_DATA"], "datasets", "adult-arx").resolve()
    frame = pl.read_csv(source / "adult.csv", separator=";", infer_schema=False).with_columns(pl.lit("x").alias("none"))
    with tempfile.TemporaryDirectory() as place:
        job = Job(Path(place, "table.csv"), Path(place, "release.csv"), k, source / "hierarchies", frame.columns)
        frame.write_csv(job.original)
        spent = answered(Tool("ARX", "ARX", "", (more,)).command(job))
    return None if isinstance(spent, str) else float(spent[1])


def main() -> None:
    WAYS["agglomerative"].run(adult(), Goal((KAnonymity(5),), LM()), Randomness(1), Silent())  # kernels are loaded
    print(f"ARX's seconds: {'of this run' if JAR else 'on a similar machine'}")
    print("| task | ARX CPU s | shoal CPU s | ratio | ARX loss | shoal loss |\n|---|---|---|---|---|---|")
    rows = [optimum(k, limit) for k, limit in ARX]
    for k in LOCAL:
        rows += [local(k, name) for name in WAYS]
    print(*rows, sep="\n")
    found = [row for row in rows if row.task.startswith("local")]
    verdicts.compare("ARX's optima: loss", [r.ours[1] for r in rows[: len(ARX)]], [*LOSS.values()])
    verdicts.compare("ARX's local recoding: loss", [r.ours[1] for r in found], [r.theirs[1] for r in found])


if __name__ == "__main__":
    main()
