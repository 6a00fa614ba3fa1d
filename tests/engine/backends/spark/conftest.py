"""One Spark session for all tests of a process: a real cluster of two executors, on loopback only."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from typing import Any

import pytest

# these import the backend, and with it PySpark
collect_ignore_glob = [] if find_spec("pyspark") else ["test_*_on_spark.py", "test_spark.py", "test_sql.py"]


@pytest.fixture(scope="session")
def spark() -> Iterator[Any]:
    pytest.importorskip("pyspark", reason="the spark extra is not installed")
    if not (shutil.which("java") or os.environ.get("JAVA_HOME")):
        pytest.skip("Java is not installed: apt-get install openjdk-17-jre-headless")
    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    from pyspark.sql import SparkSession

    settings = {
        "spark.ui.enabled": "false",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.sql.shuffle.partitions": "4",
        "spark.executor.memory": "1g",
        "spark.executorEnv.PYTHONPATH": os.environ.get("PYTHONPATH", ""),
        "spark.log.level": "ERROR",
        "spark.ui.showConsoleProgress": "false",
        # to compile takes longer than to run, on tables as small as these
        "spark.sql.codegen.wholeStage": "false",
        "spark.driver.defaultJavaOptions": "-XX:TieredStopAtLevel=1",
        "spark.executor.defaultJavaOptions": "-XX:TieredStopAtLevel=1",
    }
    builder = SparkSession.builder.appName("shoal tests").master("local-cluster[2,1,1024]")
    for name, value in settings.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    yield session
    session.stop()
