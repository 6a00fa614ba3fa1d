"""Mondrian inside the library, kernels warm: best of several runs."""

from __future__ import annotations

from time import perf_counter

from data import eight_columns, resampled
from shoal.algorithms import Mondrian
from shoal.core.contracts import Goal
from shoal.core.progress import Silent
from shoal.core.randomness import Randomness
from shoal.core.schema import Schema
from shoal.io.encode import encode
from shoal.metrics import GCP, LM
from shoal.models import KAnonymity


def best_seconds(work, repeats: int) -> float:
    times = []
    for _ in range(repeats):
        start = perf_counter()
        work()
        times.append(perf_counter() - start)
    return min(times)


def main() -> None:
    name, frame = eight_columns()
    goal = Goal((KAnonymity(10),), LM())
    print(f"{'table':<28}{'rows':>10}  {'variant':<8}{'best ms':>9}{'LM':>8}{'GCP':>8}")
    for label, rows in ((name, frame), (f"{name}, resampled", resampled(frame, 1_000_000))):
        table = encode(rows, Schema(tuple(rows.columns))).table
        for algorithm in (Mondrian(), Mondrian(relaxed=True)):
            release = algorithm.run(table, goal, Randomness(1), Silent())
            spent = best_seconds(lambda a=algorithm, t=table: a.run(t, goal, Randomness(1), Silent()), 5)
            variant = "relaxed" if algorithm.relaxed else "strict"
            lm, gcp = LM().score(release), GCP().score(release)
            print(f"{label:<28}{table.n_rows:>10,}  {variant:<8}{spent * 1e3:>9.1f}{lm:>8.4f}{gcp:>8.4f}")


if __name__ == "__main__":
    main()
