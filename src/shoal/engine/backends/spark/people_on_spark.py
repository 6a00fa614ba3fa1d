"""People on the cluster: how many there are, which blocks have enough of them, and who owns each record."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl
from pyspark import StorageLevel
from pyspark.sql import functions as f

from shoal.core.arrays import Codes, Offsets
from shoal.core.contracts import Goal
from shoal.engine.backends.coded_columns import CodedColumns, CountedPeople
from shoal.engine.backends.colliding_blocks import Homes
from shoal.engine.backends.spark.dataframes import as_polars, as_spark, counted, numbered, quoted
from shoal.engine.backends.spark.sql.promise_queries import failing
from shoal.engine.backends.spark.sql.views import opened
from shoal.engine.whole_histories import check_one_to_one
from shoal.errors import GoalNotMet
from shoal.io.column_rules import BLOCK, OURS, WHOSE
from shoal.io.table_file import COUNT, VALUE

PART = f"{OURS}part"
"""The column with the part of each person."""


def count_people(df: Any, columns: CodedColumns, person: str) -> CountedPeople:
    """The number of people, and how many have each sensitive value; the driver sees only counts."""
    key = f.col(quoted(person))
    asked = f.countDistinct(key).alias(COUNT), f.count_if(key.isNull()).alias("unnamed")
    whole = df.agg(*asked).first()
    held = []
    for column in columns.sensitive:
        found = as_polars(df.groupBy(f.col(quoted(column.name)).alias(VALUE)).agg(*asked))
        codes = columns.codes_of(found[VALUE], column.name)
        counts = (found[COUNT] + found["unnamed"]).to_numpy()
        held.append(np.bincount(codes, counts, column.domain.n_leaves).astype(np.int64))
    return CountedPeople(int(whole[COUNT] + whole["unnamed"]), int(whole["unnamed"]), tuple(held))


def rows_of_people(df: Any, person: str) -> Offsets:
    """The number of people with each number of rows; each row without a key is a person."""
    key = f.col(quoted(person))
    found = as_polars(counted(counted(df.filter(key.isNotNull()), [person]), [COUNT]))
    own = np.bincount(found["c0"].to_numpy(), found[COUNT].to_numpy(), 2).astype(np.int64)
    own[1] += df.filter(key.isNull()).count()
    return own


def in_parts(df: Any, person: str, n_parts: int) -> Any:
    """Each row with a number, equal for all rows of a person; rows without a key are distributed by their content."""
    key = f.col(quoted(person))
    number = f.when(key.isNull(), f.hash(*map(quoted, df.columns))).otherwise(f.hash(key))
    return df.withColumn(PART, f.pmod(number, f.lit(n_parts)))


def named(keys: pl.Series, block: int) -> pl.Series:
    """The keys of a block's rows; each row without a key gets its own."""
    own = pl.lit(f"\0{block} ") + pl.int_range(pl.len()).cast(pl.String)
    return keys.cast(pl.String).alias("key").to_frame().select(pl.col("key").fill_null(own))["key"]


def with_keys(df: Any, person: str) -> Any:
    """The rows with the key of each row's person (``WHOSE``); each row without a key gets its own."""
    own = f.concat(f.lit("\0"), f.monotonically_increasing_id().cast("string"))
    return df.withColumn(WHOSE, f.coalesce(f.col(quoted(person)).cast("string"), own))


def few_people(kept: Any, columns: CodedColumns, least: int) -> tuple[int, int]:
    """How many classes of records have fewer people than ``least``, by their keys, and how many classes there are."""
    quasi = numbered([column.name for column in columns.quasi])
    people = kept.groupBy(*quasi).agg(f.countDistinct(f.col(quoted(WHOSE))).alias("people"))
    row = people.agg(f.count_if(f.col("people") < least), f.count(f.lit(1))).first()
    return int(row[0]), int(row[1])


def each_unnamed(rows: pl.DataFrame, at: int) -> pl.DataFrame:
    """Counted rows, with those that have no key in column ``at`` repeated one by one: each is a person."""
    unnamed = pl.col(f"c{at}").is_null()
    times = rows.select(pl.when(unnamed).then(COUNT).otherwise(1)).to_series()
    counts = pl.when(unnamed).then(1).otherwise(COUNT).alias(COUNT)
    return rows.with_columns(counts)[np.repeat(np.arange(rows.height), times.to_numpy())]


def able_homes(placed: Any, df: Any, columns: CodedColumns, goal: Goal, homes: Homes) -> Codes:
    """The home of each block: blocks whose people cannot meet the goal alone are joined with the next.

    People may have rows in several blocks, so the cluster judges each union of blocks anew.

    Raises:
        GoalNotMet: not even all rows together meet it.
    """
    kept, numbers = with_keys(placed, str(columns.person)).persist(StorageLevel.DISK_ONLY), homes.numbers
    try:
        while bad := _unable(kept, df, columns, goal, numbers):
            numbers = joined_with_next(numbers, bad)
    finally:
        kept.unpersist()
    return numbers


def _unable(placed: Any, df: Any, columns: CodedColumns, goal: Goal, numbers: Codes) -> set[int]:
    """The homes whose rows, taken together, violate a model."""
    spark = placed.sparkSession
    with opened(at_home(placed, numbers), df, columns) as (scope, _):
        in_homes = replace(scope, keys=(BLOCK,))
        return {home for promise in goal.promises for home in failing(spark, promise, in_homes)}


def at_home(placed: Any, numbers: Codes) -> Any:
    """Each row with the number of its block's home instead of its block."""
    known = pl.DataFrame({BLOCK: np.arange(numbers.size, dtype=np.int32), "home": numbers.astype(np.int32)})
    return (
        placed.join(f.broadcast(as_spark(known, placed.sparkSession)), BLOCK)
        .drop(BLOCK)
        .withColumnRenamed("home", BLOCK)
    )


def joined_with_next(numbers: Codes, unable: Set[int]) -> Codes:
    """Merge each of these homes with the next, the last with the one before; the smaller number is kept.

    Raises:
        GoalNotMet: there is no other home.
    """
    homes = np.unique(numbers).tolist()
    if len(homes) == 1:
        raise GoalNotMet("Even with all rows in one class, the promises do not all hold; ask for weaker ones.")
    called, joined = {home: home for home in homes}, None
    for home, other in zip(homes, [*homes[1:], homes[-2]], strict=True):
        if home in unable and joined != home:
            called[max(home, other)] = called[min(home, other)]
            joined = other
    return np.array([called[home] for home in numbers.tolist()], np.int32)


def check_pseudonyms(made: Any, name: str) -> None:
    """Raise BrokenPromise unless people and pseudonyms correspond one to one."""
    whose, fresh = f.col(quoted(WHOSE)), f.col(quoted(name))
    check_one_to_one(*made.agg(f.countDistinct(whose), f.countDistinct(fresh), f.countDistinct(whose, fresh)).first())
