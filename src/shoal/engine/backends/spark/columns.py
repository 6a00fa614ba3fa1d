"""Columns of a Spark DataFrame, and small results as frames."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl

from shoal.core.schema import UNPUBLISHED, Schema
from shoal.io.arrow_read import published_names
from shoal.io.column_rules import FLOAT_DIGITS, settle
from shoal.io.variants import fold_text, refuse_unknown


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
    one_spelling = f.udf(lambda text: None if text is None else fold_text(text), t.StringType(), useArrow=False)
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


def as_polars(df: Any) -> pl.DataFrame:
    """A small result of the cluster's."""
    frame = pl.from_arrow(df.toArrow())
    assert isinstance(frame, pl.DataFrame)
    return frame


def quoted(name: str) -> str:
    """A name as Spark's SQL wants it."""
    return "`" + name.replace("`", "``") + "`"
