"""The number of pieces into which Spark splits files and shuffles: as many as cores and rows need."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

_NAME = "spark.sql.shuffle.partitions"
_USUAL = "200"
"""Spark's default."""

_SMALLEST, _USUAL_SMALLEST = "spark.sql.files.openCostInBytes", ("4MB", "4194304", "4194304b")
"""The smallest piece of a file. By default it is 4 MB, so that one core reads a whole file of a million rows."""


def fit_shuffles(spark: Any, n_rows: int, rows: int) -> None:
    """Set two partitions for every block of ``rows``, and at least one for every core.

    A partition costs a task in every step, and a piece of a file in every task before it: for a million rows, 200 of
    them take longer than the rows. Settings changed by the user stay, and so do sessions of Spark Connect, which do not
    report the number of cores.
    """
    from pyspark.errors import PySparkException

    if spark.conf.get(_NAME) != _USUAL:
        return
    try:
        n_cores = int(spark.sparkContext.defaultParallelism)
    except PySparkException:
        return
    spark.conf.set(_NAME, str(max(n_cores, -(-2 * n_rows // rows))))
    if spark.conf.get(_SMALLEST) in _USUAL_SMALLEST:
        spark.conf.set(_SMALLEST, "64KB")


@contextmanager
def shuffles_as_before(spark: Any) -> Iterator[None]:
    """Restore the settings at the end of the block."""
    before = {name: spark.conf.get(name) for name in (_NAME, _SMALLEST)}
    try:
        yield
    finally:
        for name, value in before.items():
            spark.conf.set(name, value)
