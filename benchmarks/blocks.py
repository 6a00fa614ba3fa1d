"""What blocks cost in loss: algorithms on the whole table and on blocks, ``python benchmarks/blocks.py [N] [ROWS]``."""

from __future__ import annotations

import sys
from time import perf_counter

import polars as pl

from census import QUASI, census
from data import eight_columns, resampled
from shoal.algorithms import Blocked, Hilbert, Mondrian
from shoal.core.contracts import Algorithm, Goal
from shoal.core.progress import Silent
from shoal.core.randomness import Randomness
from shoal.core.schema import Schema
from shoal.core.table import Table
from shoal.io.encode import encode
from shoal.metrics import LM
from shoal.models import KAnonymity


def measured(table: Table, algorithm: Algorithm) -> tuple[float, float]:
    """The loss and the seconds, of a second run: the first may compile."""
    goal = Goal((KAnonymity(10),), LM())
    algorithm.run(table, goal, Randomness(1), Silent())
    start = perf_counter()
    release = algorithm.run(table, goal, Randomness(1), Silent())
    return LM().score(release), perf_counter() - start


def main() -> None:
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 500_000
    most = int(sys.argv[2]) if len(sys.argv) > 2 else 50_000
    name, frame = eight_columns()
    tables: dict[str, pl.DataFrame] = {"census": census(n).select(QUASI), f"{name} resampled": resampled(frame, n)}
    for title, rows in tables.items():
        table = encode(rows, Schema(tuple(rows.columns))).table
        for inner in (Mondrian(relaxed=True), Hilbert()):
            whole, spent = measured(table, inner)
            print(f"{title:16} {inner.name:10} whole             LM {whole:.5f}          {spent:6.2f} s")
            for by in ("quantiles", "curve"):
                loss, spent = measured(table, Blocked(inner, by=by, rows=most))
                print(
                    f"{title:16} {inner.name:10} blocks, {by:9} LM {loss:.5f} {loss / whole - 1:+7.1%} {spent:6.2f} s"
                )


if __name__ == "__main__":
    main()
