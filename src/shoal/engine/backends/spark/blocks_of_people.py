"""Whole histories on the cluster: people are gathered, then sent to blocks with all their rows."""

from __future__ import annotations

from typing import Any

import polars as pl
import pyarrow as pa

from shoal.core.contracts import Algorithm, Goal
from shoal.engine.backends.coded_columns import CodedColumns
from shoal.engine.backends.colliding_blocks import Homes
from shoal.engine.backends.people_blocks import PeopleBlocks
from shoal.engine.backends.spark.block_tasks import run_blocks
from shoal.engine.backends.spark.dataframes import quoted
from shoal.engine.backends.spark.people_on_spark import PART, able_homes, at_home, in_parts
from shoal.io.column_rules import BLOCK, settle


def in_people_blocks(
    df: Any,
    columns: CodedColumns,
    blocks: PeopleBlocks,
    homes: Homes,
    goal: Goal,
    algorithm: Algorithm,
    n_parts: int,
    key: str,
    pseudonym: str | None,
) -> Any:
    """Like ``in_blocks``, with all rows of a person in one block; suppressed rows are in none.

    People are gathered in ``n_parts`` parts, in which each is assigned to a block.
    """
    from pyspark.sql import types as t

    def place(table: pa.Table) -> pa.Table:
        table = table.drop_columns([PART])
        frame = pl.from_arrow(table)
        assert isinstance(frame, pl.DataFrame)
        rows = settle(frame)
        order = rows.select(pl.arg_sort_by(rows.columns, nulls_last=True)).to_series()  # a fixed order
        at = blocks.place(columns.table(rows[order]))
        some = table.take(order.filter(at >= 0).to_arrow())
        return some.append_column(BLOCK, pa.array(at[at >= 0]))

    parts = in_parts(df, str(columns.person), n_parts)
    schema = t.StructType([*df.schema.fields, t.StructField(BLOCK, t.IntegerType())])
    placed = parts.groupBy(quoted(PART)).applyInArrow(place, schema)
    placed = at_home(placed, able_homes(placed, df, columns, goal, homes))
    return run_blocks(placed, df, columns, goal, algorithm, key, pseudonym)
