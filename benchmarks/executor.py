"""What one core of a Spark executor does with a block: rows in as Arrow, coded, run, checked, printed, out as Arrow.

``python benchmarks/executor.py [ROWS]``. The very function that tasks run, without Spark around it; CPU seconds,
kernels warm. From it follows how long a hundred million rows take.
"""

from __future__ import annotations

import sys
from time import process_time

import polars as pl

from data import eight_columns, resampled
from shoal.algorithms import Mondrian
from shoal.core.contracts import Goal
from shoal.core.schema import Schema
from shoal.engine.backends.coded_columns import learn_columns
from shoal.engine.backends.spark.block_tasks import BLOCK, BlockTask
from shoal.io.table_file import COUNT, VALUE
from shoal.metrics import LM
from shoal.models import KAnonymity


def main() -> None:
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 200_000
    name, frame = eight_columns()
    rows = resampled(frame, n)
    values = {
        name: rows.select(pl.col(name).alias(VALUE)).group_by(VALUE).agg(pl.len().cast(pl.Int64).alias(COUNT))
        for name in rows.columns
    }
    columns = learn_columns(values, Schema(tuple(rows.columns)), rows.columns, n)
    task = BlockTask(columns, Goal((KAnonymity(10),), LM()), Mondrian(relaxed=True), "key")
    block = rows.with_columns(pl.lit(0, pl.Int32).alias(BLOCK)).to_arrow(compat_level=pl.CompatLevel.oldest())
    task.run(block)
    start = process_time()
    task.run(block)
    spent = process_time() - start
    print(
        f"{name} resampled, a block of {n:,} x {rows.width}: {spent:.2f} CPU s, {n / spent:,.0f} rows a second and core"
    )
    for millions, cores in ((100, 8), (100, 32)):
        print(f"{millions} million rows on {cores} cores: {millions * 1e6 / (n / spent) / cores:,.0f} s in such tasks")


if __name__ == "__main__":
    main()
