"""What the cluster says about columns: their values and counts, which are small, not the rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl

from shoal.core.schema import UNPUBLISHED, Schema
from shoal.engine.backends.columns import Columns, learn_columns
from shoal.errors import InputError
from shoal.io.arrow_read import published_names
from shoal.io.column_rules import FLOAT_DIGITS, settle
from shoal.io.inspect.unspoken import MOST_LOOKED_AT, refuse_unspoken, unnamed
from shoal.io.table_file import COUNT, VALUE
from shoal.io.variants import fold_text, refuse_unknown

MOST_VALUES = 1_000_000
"""Distinct values of one column that the driver takes."""


def prepared(df: Any, schema: Schema, fold: Sequence[str] = ()) -> Any:
    """The columns that will be published or coded, in kinds that can be: no identifiers, NaN missing, no decimals.

    In the columns of ``fold`` texts that look the same are made one.

    Raises:
        InputError: a column is missing, or of a kind that cannot be published.
    """
    from pyspark.sql import functions as f
    from pyspark.sql import types as t

    names, _ = published_names(df.columns, "the table")
    refuse_unknown(fold, names)
    schema.check_columns(names)
    one_spelling = f.udf(lambda text: None if text is None else fold_text(text), t.StringType())
    if schema.missing == "drop":
        df = df.dropna(subset=[*schema.quasi_identifiers, *schema.sensitive])
    made = []
    for field in df.schema.fields:
        if schema.role(field.name) in UNPUBLISHED or field.name not in names:
            continue
        column = f.col(quoted(field.name))
        if isinstance(field.dataType, t.DecimalType):
            column = column.cast("double" if field.dataType.precision <= FLOAT_DIGITS else "string")
        elif isinstance(field.dataType, t.FloatType | t.DoubleType):
            column = f.when(f.isnan(column), None).otherwise(column)
        elif isinstance(field.dataType, t.StringType) and field.name in fold:
            column = one_spelling(column)
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
    _refuse_unspoken(df, schema, n_rows)
    values = {}
    for name in (*schema.quasi_identifiers, *schema.sensitive):
        counts = df.groupBy(f.col(quoted(name)).alias(VALUE)).agg(f.count(f.lit(1)).alias(COUNT))
        found = as_polars(counts.limit(MOST_VALUES + 1))
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


def _refuse_unspoken(df: Any, schema: Schema, n_rows: int) -> None:
    """Look at columns without a role, on a sample of rows where there are many."""
    from pyspark.sql import functions as f

    doubtful = unnamed(df.columns, schema)
    if doubtful:
        some = df.select(*(f.col(quoted(name)) for name in (*doubtful, *schema.quasi_identifiers)))
        share = MOST_LOOKED_AT / n_rows
        refuse_unspoken(settle(as_polars(some.sample(share) if share < 1 else some)), schema)
