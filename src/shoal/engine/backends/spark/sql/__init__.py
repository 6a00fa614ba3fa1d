"""Promises judged by the cluster in plain SQL, which shares no code with the algorithms or the models."""

from __future__ import annotations

from shoal.engine.backends.spark.sql.asking import blocks_of_failing, failing, refuse_unasked, verify
from shoal.engine.backends.spark.sql.scope import Scope

__all__ = ["Scope", "blocks_of_failing", "failing", "refuse_unasked", "verify"]
