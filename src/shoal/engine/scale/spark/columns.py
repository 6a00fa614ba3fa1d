"""What the cluster says about columns: their values and counts, which are small, not the rows."""

from __future__ import annotations

from typing import Any

import polars as pl

from shoal.core.schema import Schema
from shoal.engine.scale.columns import COUNT, Columns, learn_columns
from shoal.errors import InputError
from shoal.io.columns import check_names, settle

MOST_VALUES = 1_000_000
"""Distinct values of one column that the driver takes."""

_NEARLY_UNIQUE = 0.9


def prepared(df: Any, schema: Schema) -> Any:
    """The columns that will be published or coded, in kinds that can be: no identifiers, NaN missing, no decimals.

    Raises:
        InputError: a column is missing, or of a kind that cannot be published.
    """
    from pyspark.sql import functions as f
    from pyspark.sql import types as t

    check_names(df.columns, "the table")
    schema.check_columns(df.columns)
    if schema.missing == "drop":
        df = df.dropna(subset=[*schema.quasi_identifiers, *schema.sensitive])
    made = []
    for field in df.schema.fields:
        if schema.role(field.name) == "identifier":
            continue
        column = f.col(quoted(field.name))
        if isinstance(field.dataType, t.DecimalType):
            column = column.cast("double")
        elif isinstance(field.dataType, t.FloatType | t.DoubleType):
            column = f.when(f.isnan(column), None).otherwise(column)
        made.append(column.alias(field.name))
    kept = df.select(*made)
    settle(as_polars(kept.limit(0)))
    return kept


def learned(df: Any, schema: Schema) -> Columns:
    """The columns, from the distinct values and counts that the cluster works out.

    Raises:
        InputError: no rows, too many values for the driver, or a column published by oversight.
    """
    from pyspark.sql import functions as f

    n_rows = df.count()
    if not n_rows:
        raise InputError("The table has no rows; there is nothing to publish.")
    _refuse_oversights(df, schema, n_rows)
    values = {}
    for name in (*schema.quasi_identifiers, *schema.sensitive):
        counts = df.groupBy(f.col(quoted(name)).alias(name)).agg(f.count(f.lit(1)).alias(COUNT)).limit(MOST_VALUES + 1)
        found = as_polars(counts)
        if found.height > MOST_VALUES:
            raise InputError(
                f"The column {name!r} has more than {MOST_VALUES:,} distinct values, too many to number; round it "
                "first, or make it an identifier."
            )
        values[name] = found
    return learn_columns(values, schema, df.columns, n_rows)


def as_polars(df: Any) -> pl.DataFrame:
    """A small result of the cluster's."""
    frame = pl.from_arrow(df.toArrow())
    assert isinstance(frame, pl.DataFrame)
    return frame


def quoted(name: str) -> str:
    """A name as Spark's SQL wants it."""
    return "`" + name.replace("`", "``") + "`"


def _refuse_oversights(df: Any, schema: Schema, n_rows: int) -> None:
    from pyspark.sql import functions as f

    named = {*schema.quasi_identifiers, *schema.sensitive, *schema.identifiers, *schema.others}
    unnamed = [name for name in df.columns if name not in named]
    if not unnamed or n_rows < 10:
        return
    asked = [f.approx_count_distinct(f.col(quoted(name))).alias(str(i)) for i, name in enumerate(unnamed)]
    for name, n_values in zip(unnamed, df.agg(*asked).first(), strict=True):
        if n_values > _NEARLY_UNIQUE * n_rows:
            raise InputError(
                f"The column {name!r} has no role and is nearly unique, so publishing it could name people; add it to "
                "identifiers to drop it, or to others to publish it as it is."
            )
