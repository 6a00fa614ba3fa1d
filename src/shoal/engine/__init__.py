"""The verbs: inspect, anonymize, apply, verify, audit, run a job."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shoal.core.plugins import imported_when_used

if TYPE_CHECKING:
    from shoal.engine.anonymizing import anonymize
    from shoal.engine.applying import apply
    from shoal.engine.auditing import audit_release
    from shoal.engine.inspecting import inspect
    from shoal.engine.listing_patterns import list_patterns
    from shoal.engine.result import Result
    from shoal.engine.verifying import Verification, verify

__getattr__ = imported_when_used(
    __name__,
    (
        "shoal.engine.anonymizing:anonymize",
        "shoal.engine.applying:apply",
        "shoal.engine.auditing:audit_release",
        "shoal.engine.inspecting:inspect",
        "shoal.engine.listing_patterns:list_patterns",
        "shoal.engine.result:Result",
        "shoal.engine.verifying:Verification",
        "shoal.engine.verifying:verify",
    ),
)

__all__ = ["Result", "Verification", "anonymize", "apply", "audit_release", "inspect", "list_patterns", "verify"]
