"""A copy of a table without hidden values."""

from __future__ import annotations

import polars as pl


def fresh(frame: pl.DataFrame) -> pl.DataFrame:
    """The same table with no values left in memory under its missing cells.

    A cell that was set to null is only marked as missing: its old value stays in the column's buffer, and an Arrow file
    or a pickle of the table would contain it. Here such slots are overwritten with zero or empty text. O(cells of
    columns with missing values).
    """
    columns = (_overwrite(column) if column.null_count() else column for column in frame.iter_columns())
    return pl.DataFrame(list(columns))


def _overwrite(column: pl.Series) -> pl.Series:
    """The column with neutral values under its nulls."""
    values = pl.col("values")
    neutral = pl.lit("") if column.dtype == pl.String else pl.lit(0).cast(column.dtype)
    clean = pl.when(values.is_null()).then(None).otherwise(values.fill_null(neutral))
    return column.to_frame("values").select(values=clean).to_series().alias(column.name)
