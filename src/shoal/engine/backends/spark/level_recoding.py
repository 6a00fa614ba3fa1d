"""Full-domain recoding on the cluster: a broadcast join with the labels of each column."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
from pyspark.sql import functions as f

from shoal.engine.backends.coded_columns import CODE, CodedColumns
from shoal.engine.backends.levels import LevelRecoding
from shoal.engine.backends.spark.dataframes import as_spark, quoted
from shoal.io.column_rules import OURS
from shoal.io.table_file import VALUE


def recoded(df: Any, columns: CodedColumns, found: LevelRecoding, hidden: tuple[str, ...] = ()) -> Any:
    """Join every column with its labels; rows of suppressed classes are left out, ``hidden`` columns kept."""
    for j, column in enumerate(columns.quasi):
        codes = columns.known[column.name][CODE].to_numpy()
        said = pl.DataFrame(
            {
                f"{OURS}value": columns.known[column.name][VALUE],
                f"{OURS}label {j}": found.labels[j].gather(codes),
                f"{OURS}node {j}": found.firsts[j][codes].astype(np.int32),
            }
        )
        known = f.broadcast(as_spark(said, df.sparkSession))
        same = f.col(quoted(column.name)).eqNullSafe(known[quoted(f"{OURS}value")])
        df = df.join(known, same, "inner").drop(f"{OURS}value")
    nodes = [f"{OURS}node {j}" for j in range(len(columns.quasi))]
    if found.n_lost:
        gone = pl.DataFrame(dict(zip(nodes, found.lost, strict=True)))
        df = df.join(f.broadcast(as_spark(gone, df.sparkSession)), nodes, "left_anti")
    places = {column.name: j for j, column in enumerate(columns.quasi)}
    shown = [f.col(quoted(f"{OURS}label {places[n]}" if n in places else n)).alias(n) for n in columns.order]
    return df.select(*shown, *map(quoted, hidden))
