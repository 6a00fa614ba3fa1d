"""The driver: neither the rows that come to it nor its memory grow with the table, in Python and in Java."""

from __future__ import annotations

import gc
from collections.abc import Callable
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest

import shoal

pytestmark = [pytest.mark.xdist_group("spark"), pytest.mark.slow]

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


class _Watch:
    """The most memory that either process of the driver held at once: Python in all, Java in what is not garbage."""

    def __init__(self, spark: Any) -> None:
        self.java = spark._jvm
        self.heap = self.java.java.lang.management.ManagementFactory.getMemoryMXBean()
        self.most, self.done = 0, Event()

    def look(self) -> int:
        """What Java holds once garbage is gone."""
        self.java.System.gc()
        used = int(self.heap.getHeapMemoryUsage().getUsed())
        self.most = max(self.most, used)
        return used

    def keep_looking(self) -> None:
        """Until it is done."""
        while not self.done.wait(2):
            self.look()

    def grown(self, work: Callable[[], Any]) -> tuple[int, int]:
        """How far both rise above what they held before: in Python and in Java."""
        gc.collect()
        before = self.look()
        Path("/proc/self/clear_refs").write_text("5")
        start = _peak()
        watcher = Thread(target=self.keep_looking)
        watcher.start()
        held = work()
        self.done.set()
        watcher.join()
        self.look()
        del held
        return _peak() - start, self.most - before


def _peak() -> int:
    line = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) * 1024


def _grown(spark: Any, work: Callable[[], Any]) -> tuple[int, int]:
    try:
        return _Watch(spark).grown(work)
    except (PermissionError, FileNotFoundError):
        pytest.skip("this system does not say how much memory a process had at most")


@pytest.mark.parametrize("algorithm", ["mondrian", pytest.param("lattice", marks=pytest.mark.nightly)])
def test_nothing_on_the_driver_grows_with_the_rows(spark: Any, monkeypatch: pytest.MonkeyPatch, algorithm: str) -> None:
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
    monkeypatch.setattr("shoal.engine.backends.pieces.SAMPLE", 5_000)
    few, many = 30_000, 300_000
    rows, grown = [], []
    for n in (few, many):
        words = {**WORDS, "algorithm": algorithm, "df": _table(spark, n)}
        grown.append(_grown(spark, lambda words=words: anonymize(**words).unpersist()))
        rows.append(max(fetched))
        fetched.clear()
    assert rows[0] == rows[1] <= 6_000
    for less, more in zip(*grown, strict=True):
        assert more - less < ROOM, (algorithm, grown)
    of_python = _grown(spark, lambda: arrow(_table(spark, many)))[0]
    of_java = _grown(spark, lambda: _table(spark, many)._jdf.collect())[1]
    assert min(of_python, of_java) > ROOM, f"collecting the table shows as no more than {of_python} and {of_java}"
