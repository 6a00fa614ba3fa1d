"""The temporary views that are queried; they are dropped at the end."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import numpy as np
import polars as pl
from pyspark.sql import functions as f

from shoal.core.table import SensitiveColumn
from shoal.engine.backends.coded_columns import CODE, CodedColumns
from shoal.engine.backends.spark.dataframes import as_spark, quoted
from shoal.engine.backends.spark.sql.scope import (
    HISTORIES,
    HISTORY,
    ORIGINAL,
    PAIRS,
    POOLS,
    RECORDS,
    RELEASE,
    WITNESS,
    Scope,
)
from shoal.io.column_rules import BLOCK, WHOSE
from shoal.io.table_file import VALUE

_BLOCK, _ROW = "pool_block", "pool_row"


@contextmanager
def opened(release: Any, original: Any, columns: CodedColumns) -> Iterator[tuple[Scope, Scope]]:
    """The scopes for models about classes and about pools; they differ if records list their matches."""
    called = {f"sensitive_{i}": column.name for i, column in enumerate(columns.sensitive)}
    keys = {f"quasi_{j}": column.name for j, column in enumerate(columns.quasi)}
    judged = dict(zip(called, columns.sensitive, strict=True))
    levels = {own: column.hierarchy.n_levels if column.hierarchy else 0 for own, column in judged.items()}
    sensitive, named = tuple(called), WITNESS in release.columns
    whose = {} if columns.person is None else {WHOSE: columns.person}
    each = {
        own: float(column.held.counts.sum()) / column.held.n_people
        for own, column in judged.items()
        if column.held is not None
    }
    scope = Scope(tuple(keys), sensitive, RELEASE, levels, called, WHOSE if whose else None, each)
    ours = keys | called
    hidden = {name: name for name in (WITNESS, WHOSE, BLOCK) if name in release.columns}
    spark = release.sparkSession
    with ExitStack() as made:

        def show(name: str, df: Any) -> None:
            df.createOrReplaceTempView(name)
            made.callback(spark.catalog.dropTempView, name)

        show(RELEASE, _renamed(release, ours | hidden))
        show(ORIGINAL, _renamed(original, ours | whose))
        for i, column in enumerate(columns.sensitive):
            show(f"shoal_values_{i}", as_spark(_known(columns, column), spark))
        if named:
            for j, quasi in enumerate(columns.quasi):
                codes = columns.known[quasi.name].select(pl.col(VALUE).alias("v"), code=pl.col(CODE).cast(pl.Int32))
                show(f"shoal_quasi_{j}", as_spark(codes, spark))
            show(RECORDS, spark.sql(f"SELECT {quoted(WITNESS)}.* FROM {RELEASE}"))  # noqa: S608
            show(PAIRS, spark.sql(_pairs()))
            show(POOLS, spark.sql(_pools(sensitive)))
        if whose:
            show(HISTORIES, spark.sql(_histories(tuple(keys))))
        yield scope, Scope((_BLOCK, _ROW), sensitive, POOLS, levels, called) if named else scope


def _histories(quasi: tuple[str, ...]) -> str:
    """Each record with a digest of all records of its person; computed only when queried."""
    whose, record = quoted(WHOSE), f"struct({', '.join(map(quoted, quasi))})"
    digest = f"sha2(to_json(sort_array(collect_list({record}))), 256) AS {HISTORY}"
    each = f"SELECT {whose}, {digest} FROM {RELEASE} GROUP BY {whose}"  # noqa: S608 (names are quoted)
    return f"SELECT r.*, h.{HISTORY} FROM {RELEASE} AS r JOIN ({each}) AS h ON r.{whose} = h.{whose}"  # noqa: S608


def _renamed(df: Any, ours: dict[str, str]) -> Any:
    return df.select(*(f.col(quoted(name)).alias(own) for own, name in ours.items()))


def _known(columns: CodedColumns, column: SensitiveColumn) -> pl.DataFrame:
    """The values of a sensitive column: their texts, their ranks, and their nodes on every level.

    If people are counted, also the share of people who have each (``q``).
    """
    known, domain = columns.known[column.name], column.domain
    codes = known[CODE].to_numpy()
    places = np.argsort(np.argsort(domain.points[codes], kind="stable"))
    shares = {} if column.held is None else {"q": column.held.counts[codes] / column.held.n_people}
    nodes = [] if column.hierarchy is None else [level[codes] for level in column.hierarchy.low]
    return pl.DataFrame(
        {
            "v": known[VALUE],
            "text": [domain.texts[code] for code in codes],
            "place": places.astype(np.int32),
            "code": codes.astype(np.int32),
            **shares,
            **{f"node_{level}": firsts.astype(np.int32) for level, firsts in enumerate(nodes)},
        }
    )


def _pairs() -> str:
    """Every pair once: those that were listed, and those on the paths to and from the roots."""
    ways = (
        f"SELECT block, row, up AS record FROM {RECORDS} WHERE up IS NOT NULL UNION ALL "  # noqa: S608
        f"SELECT block, down AS row, row AS record FROM {RECORDS} WHERE down IS NOT NULL"
    )
    named = f"SELECT block, explode(rows) AS row, row AS record FROM {RECORDS}"  # noqa: S608
    return f"SELECT DISTINCT block, row, record FROM ({named} UNION ALL {ways})"  # noqa: S608


def _pools(sensitive: tuple[str, ...]) -> str:
    """For each row, the sensitive values of the records that may be its own."""
    values = "".join(f", r.{quoted(name)}" for name in sensitive)
    return (
        f"SELECT p.block AS {quoted(_BLOCK)}, p.row AS {quoted(_ROW)}{values} FROM {PAIRS} AS p "  # noqa: S608
        f"JOIN {RELEASE} AS r ON p.block = r.{quoted(WITNESS)}.block AND p.record = r.{quoted(WITNESS)}.row"
    )
