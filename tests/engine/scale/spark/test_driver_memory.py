"""The driver: neither the rows that come to it nor its memory grow with the table, in Python and in Java."""

from __future__ import annotations

import gc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import shoal

pytestmark = pytest.mark.xdist_group("spark")

MEBI = 1 << 20
ROOM = 32 * MEBI
"""What ten times the rows may need more: less than half of the larger table."""

WORDS: dict[str, Any] = {
    "quasi_identifiers": ["age", "zip"],
    "sensitive": ["ill"],
    "others": ["note"],
    "privacy": shoal.KAnonymity(5),
    "rows": 30_000,
}


def _table(spark: Any, n: int) -> Any:
    """Rows that only executors make: 250 bytes each, few of them distinct."""
    return spark.range(n).selectExpr("id % 50 AS age", "id % 3 AS zip", "id % 4 AS ill", "repeat('x', 220) AS note")


class _Memory:
    """Peaks of both processes of the driver since this was made, above what they held then."""

    def __init__(self, spark: Any) -> None:
        factory = spark._jvm.java.lang.management.ManagementFactory
        names = ("Old", "Tenured")
        self.pools = [p for p in factory.getMemoryPoolMXBeans() if any(name in p.getName() for name in names)]
        assert self.pools, "no pool of long-lived objects"
        gc.collect()
        spark._jvm.System.gc()
        for pool in self.pools:
            pool.resetPeakUsage()
        Path("/proc/self/clear_refs").write_text("5")
        self.before = self._peaks()

    def _peaks(self) -> tuple[int, int]:
        line = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM"))
        return int(line.split()[1]) * 1024, max(pool.getPeakUsage().getUsed() for pool in self.pools)

    def grown(self) -> tuple[int, int]:
        """In Python and in Java."""
        now = self._peaks()
        return now[0] - self.before[0], now[1] - self.before[1]


def _grown(spark: Any, work: Callable[[], Any]) -> tuple[int, int]:
    try:
        memory = _Memory(spark)
    except OSError:
        pytest.skip("this system does not say how much memory a process had at most")
    work()
    spark._jvm.System.gc()
    return memory.grown()


def test_nothing_on_the_driver_grows_with_the_rows(spark: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from pyspark.sql.classic.dataframe import DataFrame

    from shoal.spark import anonymize

    fetched: list[int] = []
    arrow, collect = DataFrame.toArrow, DataFrame.collect

    def as_arrow(self: Any) -> Any:
        table = arrow(self)
        fetched.append(table.num_rows)
        return table

    def as_rows(self: Any) -> Any:
        rows = collect(self)
        fetched.append(len(rows))
        return rows

    def never(self: Any, *said: Any) -> Any:
        raise AssertionError("the table was collected")

    monkeypatch.setattr(DataFrame, "toArrow", as_arrow)
    monkeypatch.setattr(DataFrame, "collect", as_rows)
    monkeypatch.setattr(DataFrame, "toPandas", never)
    monkeypatch.setattr("shoal.engine.scale.spark.blocks._SAMPLE", 5_000)
    few, many = 30_000, 300_000
    for algorithm in ("lattice", "mondrian"):
        rows, grown = [], []
        for n in (few, many):
            words = {**WORDS, "algorithm": algorithm, "df": _table(spark, n)}
            grown.append(_grown(spark, lambda words=words: anonymize(**words).unpersist()))  # type: ignore[misc]
            rows.append(max(fetched))
            fetched.clear()
        assert rows[0] == rows[1] <= 6_000
        for less, more in zip(*grown, strict=True):
            assert more - less < ROOM, (algorithm, grown)
    of_python = _grown(spark, lambda: arrow(_table(spark, many)))[0]
    of_java = _grown(spark, lambda: _table(spark, many)._jdf.collect())[1]
    assert min(of_python, of_java) > ROOM, f"collecting the table shows as no more than {of_python} and {of_java}"
