"""The verbs: anonymize, verify, run a job."""

from __future__ import annotations

from shoal.engine.anonymize import anonymize
from shoal.engine.result import Result
from shoal.engine.verify import Verification, verify

__all__ = ["Result", "Verification", "anonymize", "verify"]
