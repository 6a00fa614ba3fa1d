"""shoal's functions for Spark DataFrames, for tables too large for one machine. Needs ``shoal[spark]`` and Java 17+."""

from __future__ import annotations

from shoal.engine.backends.contract import Outcome
from shoal.engine.backends.spark.session import require_pyspark

require_pyspark()

from shoal.engine.backends.spark.anonymize_frame import anonymize, release  # noqa: E402 (a sentence without PySpark)

__all__ = ["Outcome", "anonymize", "release"]
