"""Starts a Spark session, or raises an error that says why it cannot, and fits its number of partitions to the rows."""

from __future__ import annotations

import os
import shutil
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from shoal.engine.backends.spark.class_archive import archive_option
from shoal.errors import InputError

_PATIENCE = 5.0
"""Seconds to wait for a master that does not answer."""

_LESS_COMPILING = (
    "-XX:Tier4InvocationThreshold=50000 -XX:Tier4MinInvocationThreshold=6000 "
    "-XX:Tier4CompileThreshold=150000 -XX:Tier4BackEdgeThreshold=400000"
)
"""Java optimizes only code that runs ten times as often as usual: otherwise it does not pay in a run of a minute."""

_FEW_CORES, _NO_THREADS = 2, " -XX:+UseSerialGC"
"""With at most this many cores, garbage is collected without extra threads."""

_PARTITIONS = "spark.sql.shuffle.partitions"
_USUAL_PARTITIONS = "200"
"""Spark's default."""

_SMALLEST, _USUAL_SMALLEST = "spark.sql.files.openCostInBytes", ("4MB", "4194304", "4194304b")
"""The smallest piece of a file. By default it is 4 MB, so that one core reads a whole file of a million rows."""


def session(master: str, java: str = "") -> Any:
    """The running session, or a new one on this master; a local one gets the additional Java options ``java``.

    Raises:
        InputError: there is no PySpark or no Java, or the master cannot be reached.
    """
    require_pyspark()
    from pyspark.sql import SparkSession

    running = SparkSession.getActiveSession()
    if running is not None:
        return running
    require_java()
    _require_master(master)
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    try:
        builder = SparkSession.builder.appName("shoal").master(master)
        return builder.config(map=_for_this_machine(java) if master.startswith("local") else {}).getOrCreate()
    except Exception as problem:
        reason = str(problem).strip().splitlines()[0] if str(problem).strip() else type(problem).__name__
        raise InputError(f"Spark cannot start on {master!r} ({reason}); check the address of the master.") from None


def _for_this_machine(java: str) -> dict[str, Any]:
    """Settings of a local session that nobody else uses: quick to start, and without a web page."""
    few = (os.cpu_count() or 1) <= _FEW_CORES
    options = f"{_LESS_COMPILING}{_NO_THREADS * few} {java or archive_option()}"
    return {"spark.driver.defaultJavaOptions": options.strip(), "spark.ui.enabled": "false"}


def same_python(spark: Any) -> None:
    """Make Python workers on this machine use the same interpreter: ``python3`` may be another, without shoal.

    Nothing changes if an interpreter was chosen (``PYSPARK_PYTHON``), or if the workers are on other machines.
    """
    from pyspark.errors import PySparkException

    try:
        context = spark.sparkContext
    except PySparkException:  # Spark Connect has no context
        return
    if context.master.startswith("local") and "PYSPARK_PYTHON" not in os.environ:
        context.pythonExec = sys.executable


def require_pyspark() -> None:
    """Raise InputError if PySpark is not installed."""
    try:
        from pyspark.sql import SparkSession  # noqa: F401
    except ImportError:
        raise InputError("Spark needs shoal's spark extra; pip install 'shoal[spark]' brings it.") from None


def require_java() -> None:
    """Raise InputError if no Java runtime is found."""
    home = os.environ.get("JAVA_HOME")
    if (home and Path(home, "bin", "java").exists()) or shutil.which("java"):
        return
    raise InputError(
        "Spark needs Java 17 or later and none was found; install one (apt-get install openjdk-17-jre-headless) or set "
        "JAVA_HOME."
    )


def _require_master(master: str) -> None:
    """Try to connect to a master first, because Spark would take a minute to give up."""
    parts = urlsplit(master)
    if parts.scheme not in ("spark", "k8s", "") and not master.startswith(("local", "yarn")):
        raise InputError(f"{master!r} is not a Spark master; write spark://host:7077, local[*], yarn or k8s://….")
    if parts.scheme != "spark":
        return
    try:
        with socket.create_connection((parts.hostname or "", parts.port or 7077), _PATIENCE):
            pass
    except (OSError, ValueError):
        raise InputError(
            f"The Spark master {master!r} cannot be reached; check the address, and that it runs."
        ) from None


def fit_shuffles(spark: Any, n_rows: int, rows: int) -> None:
    """Set two partitions for every block of ``rows``, and at least one for every core.

    A partition costs a task in every step, and a piece of a file in every task before it: for a million rows, 200 of
    them take longer than the rows. Settings changed by the user stay, and so do sessions of Spark Connect, which do not
    report the number of cores.
    """
    from pyspark.errors import PySparkException

    if spark.conf.get(_PARTITIONS) != _USUAL_PARTITIONS:
        return
    try:
        n_cores = int(spark.sparkContext.defaultParallelism)
    except PySparkException:
        return
    spark.conf.set(_PARTITIONS, str(max(n_cores, -(-2 * n_rows // rows))))
    if spark.conf.get(_SMALLEST) in _USUAL_SMALLEST:
        spark.conf.set(_SMALLEST, "64KB")


@contextmanager
def shuffles_as_before(spark: Any) -> Iterator[None]:
    """Restore the settings at the end of the block."""
    before = {name: spark.conf.get(name) for name in (_PARTITIONS, _SMALLEST)}
    try:
        yield
    finally:
        for name, value in before.items():
            spark.conf.set(name, value)
