"""The verbs: inspect, anonymize, apply, verify, audit, run a job."""

from __future__ import annotations

from shoal.engine.anonymizing import anonymize
from shoal.engine.applying import apply
from shoal.engine.auditing import audit_release
from shoal.engine.inspecting import inspect
from shoal.engine.listing_patterns import list_patterns
from shoal.engine.result import Result
from shoal.engine.verifying import Verification, verify

__all__ = ["Result", "Verification", "anonymize", "apply", "audit_release", "inspect", "list_patterns", "verify"]
