"""The verbs: inspect, anonymize, verify, run a job."""

from __future__ import annotations

from shoal.engine.anonymizing import anonymize
from shoal.engine.inspecting import inspect
from shoal.engine.result import Result
from shoal.engine.verifying import Verification, verify

__all__ = ["Result", "Verification", "anonymize", "inspect", "verify"]
