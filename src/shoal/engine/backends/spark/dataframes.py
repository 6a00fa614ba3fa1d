"""Columns of a Spark DataFrame, and small results as frames."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import polars as pl
import pyarrow as pa
from pyspark import TaskContext
from pyspark.sql import functions as f
from pyspark.sql import types as t
from pyspark.sql.pandas.types import from_arrow_schema

from shoal.core.schema import UNPUBLISHED, Schema, refuse_unknown
from shoal.io.arrow_read import published_names
from shoal.io.column_rules import FLOAT_DIGITS, refuse_nested, settle
from shoal.io.lookalike_values import fold_text
from shoal.io.table_file import COUNT


def prepared(df: Any, schema: Schema, fold: Sequence[str] = (), hidden: str | None = None) -> Any:
    """The columns to publish or code, in supported types: no identifiers, NaN as missing, no decimals.

    The key of a person, if there is one, and the identifier ``hidden`` are included as text. In the columns of
    ``fold``, texts that look the same are merged.

    Raises:
        InputError: a column is missing, or of a type that cannot be published.
    """
    names, _ = published_names(df.columns, "the table")
    refuse_unknown(fold, names)
    schema.check_columns(names)
    one_spelling = f.udf(lambda text: None if text is None else fold_text(text), t.StringType(), useArrow=False)
    if schema.missing == "drop":
        df = df.dropna(subset=[*schema.quasi_identifiers, *schema.sensitive])
    made = []
    for field in df.schema.fields:
        if field.name in (schema.person, hidden):
            made.append(key_text(field))
            continue
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
    refuse_nested(settle(as_polars(kept.limit(0)), empty_nested=True), schema.identifiers)
    return kept


def changed(df: Any, change: Callable[[pl.DataFrame, str], pl.DataFrame]) -> Any:
    """The rows after ``change``, computed lazily by the executors.

    ``change`` also gets the name of the piece of rows: the same name for the same rows, however often they are
    processed.
    """

    def work(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        context = TaskContext.get()
        partition = 0 if context is None else context.partitionId()
        for number, batch in enumerate(batches):
            yield from as_arrow(change(settled(batch), f"{partition} {number}")).to_batches()

    return df.mapInArrow(work, from_arrow_schema(as_arrow(change(settled(df.limit(0).toArrow()), "none")).schema))


def settled(rows: pa.RecordBatch | pa.Table) -> pl.DataFrame:
    """Rows of the cluster with plain column types."""
    return settle(pl.DataFrame(rows))


def as_arrow(frame: pl.DataFrame) -> pa.Table:
    """The frame in the types that Spark reads: small strings, microseconds."""
    table = frame.to_arrow(compat_level=pl.CompatLevel.oldest())
    fields = [field.with_type(pa.string()) if field.type == pa.large_string() else field for field in table.schema]
    return table.cast(pa.schema(fields))


def key_text(field: Any) -> Any:
    """The key of a person as a text, missing if there is none."""
    column = f.col(quoted(field.name))
    if isinstance(field.dataType, t.FloatType | t.DoubleType):
        column = f.when(f.isnan(column), None).otherwise(column)
    return column.cast("string").alias(field.name)


def as_polars(df: Any) -> pl.DataFrame:
    """A small result of the cluster as a polars frame."""
    return pl.DataFrame(pl.from_arrow(df.toArrow()))


def as_spark(frame: pl.DataFrame, session: Any) -> Any:
    """A small frame as a DataFrame of the cluster."""
    return session.createDataFrame(frame.to_arrow(compat_level=pl.CompatLevel.oldest()))


def counted(df: Any, names: Sequence[str]) -> Any:
    """How many rows (``COUNT``) share the same values of these columns (``c0``, ``c1``, …)."""
    return df.groupBy(*numbered(names)).agg(f.count(f.lit(1)).alias(COUNT))


def numbered(names: Sequence[str]) -> list[Any]:
    """The columns of these names as ``c0``, ``c1``, …."""
    return [f.col(quoted(name)).alias(f"c{place}") for place, name in enumerate(names)]


def is_of_spark(problem: Exception) -> bool:
    """Whether an error comes from Spark."""
    return type(problem).__module__.startswith(("pyspark", "py4j"))


def quoted(name: str) -> str:
    """A name quoted for Spark's SQL."""
    return "`" + name.replace("`", "``") + "`"
