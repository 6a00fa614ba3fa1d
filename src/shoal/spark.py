"""Tables that outgrow one machine: the verbs on Spark DataFrames. Needs ``shoal[spark]`` and Java 17 or later."""

from __future__ import annotations

from shoal.engine.backends.contract import Outcome
from shoal.engine.backends.spark.anonymize_frame import anonymize, release

__all__ = ["Outcome", "anonymize", "release"]
