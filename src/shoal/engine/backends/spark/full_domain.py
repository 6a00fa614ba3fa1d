"""One level per column: distinct rows counted by the cluster, the search here, the recoding a broadcast join."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

from shoal.core.contracts import Algorithm, Goal
from shoal.core.progress import Progress
from shoal.engine.backends.columns import CODE, Columns
from shoal.engine.backends.full_domain import counted_table
from shoal.engine.backends.levels import Levels, find_levels
from shoal.engine.backends.spark.columns import as_polars, quoted
from shoal.errors import InputError
from shoal.io.column_rules import OURS
from shoal.io.table_file import COUNT, VALUE

MOST_ROWS = 20_000_000
"""Distinct rows that the driver takes, at about 250 bytes each."""


def at_levels(
    df: Any, columns: Columns, goal: Goal, algorithm: Algorithm, progress: Progress, wanted: tuple[int, ...] | None
) -> tuple[Any, Levels]:
    """The recoded DataFrame, still to be worked out by the cluster, and the levels."""
    progress.stage("counting distinct rows")
    table = _counted(df, columns)
    found = find_levels(table, goal, algorithm, progress, wanted)
    return _recoded(df, columns, found), found


def _counted(df: Any, columns: Columns) -> Any:
    from pyspark.sql import functions as f

    names = [column.name for column in columns.quasi] + [column.name for column in columns.sensitive]
    keys = [f.col(quoted(name)).alias(f"c{place}") for place, name in enumerate(names)]
    groups = df.groupBy(*keys).agg(f.count(f.lit(1)).alias(COUNT))
    rows = as_polars(groups.limit(MOST_ROWS + 1))
    if rows.height > MOST_ROWS:
        raise InputError(
            f"The table has more than {MOST_ROWS:,} distinct rows, too many for a search on the driver; use a local "
            "algorithm such as mondrian, or drop a column."
        )
    codes = np.array([columns.codes_of(rows[f"c{place}"], name) for place, name in enumerate(names)], np.int32)
    return counted_table(columns, codes, rows[COUNT].to_numpy().astype(np.int64))


def _recoded(df: Any, columns: Columns, found: Levels) -> Any:
    """Join every column with its labels; rows of suppressed classes are left out."""
    from pyspark.sql import functions as f

    spark = df.sparkSession
    for j, column in enumerate(columns.quasi):
        codes = columns.known[column.name][CODE].to_numpy()
        said = pl.DataFrame(
            {
                f"{OURS}value": columns.known[column.name][VALUE],
                f"{OURS}label {j}": found.labels[j].gather(codes),
                f"{OURS}node {j}": found.firsts[j][codes].astype(np.int32),
            }
        )
        known = f.broadcast(spark.createDataFrame(said.to_arrow(compat_level=pl.CompatLevel.oldest())))
        same = f.col(quoted(column.name)).eqNullSafe(known[quoted(f"{OURS}value")])
        df = df.join(known, same, "inner").drop(f"{OURS}value")
    nodes = [f"{OURS}node {j}" for j in range(len(columns.quasi))]
    if found.n_lost:
        gone = pl.DataFrame(dict(zip(nodes, found.lost, strict=True)))
        df = df.join(f.broadcast(spark.createDataFrame(gone.to_arrow())), nodes, "left_anti")
    places = {column.name: j for j, column in enumerate(columns.quasi)}
    return df.select(*(f.col(quoted(f"{OURS}label {places[n]}" if n in places else n)).alias(n) for n in columns.order))
