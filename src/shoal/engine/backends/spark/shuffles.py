"""Into how many pieces Spark cuts files and shuffles: as many as cores and rows need, not those of every session."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

_NAME = "spark.sql.shuffle.partitions"
_USUAL = "200"
"""What a session has where nobody said anything."""

_SMALLEST, _USUAL_SMALLEST = "spark.sql.files.openCostInBytes", ("4MB", "4194304", "4194304b")
"""The smallest piece of a file. Usually it is 4 MB, and a file of that size, a million rows, is read by one core."""


def fit_shuffles(spark: Any, n_rows: int, rows: int) -> None:
    """Two partitions for every block of ``rows``, and one for every core at least.

    A partition costs a task in every step, and a piece of a file in every task before it: for a million rows 200 of
    them take longer than the rows. What somebody set is left alone, and so is a session of Spark Connect, which does
    not say how many cores there are.
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
    """Put the settings back at the end of the block."""
    before = {name: spark.conf.get(name) for name in (_NAME, _SMALLEST)}
    try:
        yield
    finally:
        for name, value in before.items():
            spark.conf.set(name, value)
