"""Masks free text on the cluster: by rules, by each row's own values, and by the names the driver collects."""

from __future__ import annotations

from typing import Any

from pyspark.sql import functions as f
from pyspark.sql import types as t

from shoal.core.schema import Schema
from shoal.engine.backends.spark.dataframes import quoted
from shoal.errors import InputError
from shoal.io.masking import Masker, telling
from shoal.io.masking.masker import LONGEST_NAME, MOST_WORDS, SHORTEST_NAME

MOST_NAMES = 1_000_000
"""The most different words in the identifiers that the driver takes and sends to every task."""


def masked(df: Any, schema: Schema) -> Any:
    """The DataFrame with its free text masked, if requested.

    Raises:
        InputError: a column is missing, one to mask is not text, or the identifiers have more words than the driver can
            take.
    """
    if not schema.masked:
        return df
    schema.check_columns(df.columns)
    kinds = {field.name: field.dataType for field in df.schema.fields}
    for name in schema.masked:
        if not isinstance(kinds[name], t.StringType):
            raise InputError(f"The column {name!r} holds no text, and only text can be masked; give it another role.")
    masker = Masker(_names(df, schema))
    plain = [name for name in telling(schema) if isinstance(kinds[name], t.AtomicType | t.NumericType)]
    values = {name: f.col(quoted(name)) for name in plain}
    for name in plain:
        if isinstance(kinds[name], t.DateType | t.TimestampType):
            values[name] = f.year(values[name])  # rules find whole dates
    own = f.array(f.lit(None).cast("string"), *(value.cast("string") for value in values.values()))
    mask = f.udf(lambda text, values: masker.mask(text, values), t.StringType(), useArrow=False)
    return df.withColumns({name: mask(f.col(quoted(name)), own) for name in schema.masked})


def _names(df: Any, schema: Schema) -> frozenset[str]:
    """The words of the identifiers that may be names, each once, by the rules of ``names_in``."""
    found: frozenset[str] = frozenset()
    for field in df.schema.fields:
        if field.name not in schema.identifiers or not isinstance(field.dataType, t.StringType):
            continue
        column = f.col(quoted(field.name))
        words = f.regexp_extract_all(column, f.lit(r"(\p{L}+(?:['’]\p{L}+)*)"))
        short = df.where(f.length(column) <= LONGEST_NAME).select(words.alias("words"))
        each = short.where(f.size("words") <= MOST_WORDS).select(f.explode("words").alias("word"))
        kept = each.where(f.length("word") >= SHORTEST_NAME).distinct().limit(MOST_NAMES + 1)
        found |= frozenset(row.word.casefold() for row in kept.collect())
    if len(found) > MOST_NAMES:
        raise InputError(f"The identifiers have more than {MOST_NAMES:,} different words; mask the text first.")
    return found
