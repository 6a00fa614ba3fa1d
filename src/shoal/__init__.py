"""Publish tables about people so that every record hides among at least k others.

Exports only the public names: those below, and every algorithm and privacy model under its class name. Each is imported
on first use, so that ``import shoal`` is quick.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from shoal.algorithms import *  # noqa: F403
    from shoal.audit.findings import Audit as Audit
    from shoal.core.builders import Dates as Dates
    from shoal.core.builders import FanOut as FanOut
    from shoal.core.builders import Grouping as Grouping
    from shoal.core.builders import Icd10 as Icd10
    from shoal.core.builders import Intervals as Intervals
    from shoal.core.builders import Mask as Mask
    from shoal.core.builders import Prefixes as Prefixes
    from shoal.core.hierarchy import Hierarchy as Hierarchy
    from shoal.engine.anonymizing import anonymize as anonymize
    from shoal.engine.applying import apply as apply
    from shoal.engine.auditing import audit_release as audit_release
    from shoal.engine.backends.anonymize_file import anonymize_file as anonymize_file
    from shoal.engine.comparing import Comparison as Comparison
    from shoal.engine.comparing import compare as compare
    from shoal.engine.inspecting import inspect as inspect
    from shoal.engine.linked.anonymizing_tables import anonymize_tables as anonymize_tables
    from shoal.engine.listing_patterns import list_patterns as list_patterns
    from shoal.engine.policy import list_policies as list_policies
    from shoal.engine.policy_job import policy_job as policy_job
    from shoal.engine.reading_release import read_release as read_release
    from shoal.engine.record import read_record as read_record
    from shoal.engine.result import Result as Result
    from shoal.engine.usefulness import usefulness as usefulness
    from shoal.engine.verifying import Verification as Verification
    from shoal.engine.verifying import verify as verify
    from shoal.errors import BrokenPromise as BrokenPromise
    from shoal.errors import Deprecated as Deprecated
    from shoal.errors import GoalNotMet as GoalNotMet
    from shoal.errors import ImpossibleGoal as ImpossibleGoal
    from shoal.errors import InputError as InputError
    from shoal.errors import ShoalError as ShoalError
    from shoal.io.lookalike_values import fold as fold
    from shoal.models import *  # type: ignore[assignment]  # noqa: F403
    from shoal.utility.pooling import pool_estimates as pool_estimates

    __version__: str

_HOMES = {
    "Audit": "shoal.audit.findings",
    "BrokenPromise": "shoal.errors",
    "Comparison": "shoal.engine.comparing",
    "Dates": "shoal.core.builders",
    "Deprecated": "shoal.errors",
    "FanOut": "shoal.core.builders",
    "GoalNotMet": "shoal.errors",
    "Grouping": "shoal.core.builders",
    "Hierarchy": "shoal.core.hierarchy",
    "ImpossibleGoal": "shoal.errors",
    "InputError": "shoal.errors",
    "Icd10": "shoal.core.builders",
    "Intervals": "shoal.core.builders",
    "Mask": "shoal.core.builders",
    "Prefixes": "shoal.core.builders",
    "Result": "shoal.engine.result",
    "ShoalError": "shoal.errors",
    "Verification": "shoal.engine.verifying",
    "anonymize": "shoal.engine.anonymizing",
    "anonymize_file": "shoal.engine.backends.anonymize_file",
    "anonymize_tables": "shoal.engine.linked.anonymizing_tables",
    "apply": "shoal.engine.applying",
    "audit_release": "shoal.engine.auditing",
    "compare": "shoal.engine.comparing",
    "fold": "shoal.io.lookalike_values",
    "inspect": "shoal.engine.inspecting",
    "list_patterns": "shoal.engine.listing_patterns",
    "list_policies": "shoal.engine.policy",
    "policy_job": "shoal.engine.policy_job",
    "pool_estimates": "shoal.utility.pooling",
    "read_record": "shoal.engine.record",
    "read_release": "shoal.engine.reading_release",
    "usefulness": "shoal.engine.usefulness",
    "verify": "shoal.engine.verifying",
}
_FAMILIES = ("shoal.algorithms", "shoal.models")
_FORMERLY: dict[str, tuple[str, str]] = {}
"""Old public names: the current name of each, and the version that removes the old one."""


def __getattr__(name: str) -> Any:
    """Import a public name on first use, and keep it."""
    if name == "__all__":
        found: Any = sorted([*_HOMES, *_plug_ins(), "__version__"])
    elif name == "__version__":
        found = import_module("importlib.metadata").version("shoal")
    elif name in _HOMES:
        found = getattr(import_module(_HOMES[name]), name)
    elif name[:1].isupper() and name in (plug_ins := _plug_ins()):
        found = plug_ins[name][plug_ins[name].classes()[name]]
    elif name in _FORMERLY:
        return _under_its_present_name(name)  # not kept, so that every use triggers the warning
    else:
        raise AttributeError(f"module 'shoal' has no attribute {name!r}", name=name, obj=import_module(__name__))
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    """The public names."""
    names: list[str] = __getattr__("__all__")
    return names


def _under_its_present_name(old: str) -> Any:
    """The object behind an old name, with a warning; from the removal on, an error that says the current name."""
    try:
        [name] = import_module("shoal.engine.deprecation").renamed({old: None}, _FORMERLY, "shoal.{}".format)
    except import_module("shoal.errors").InputError as gone:
        raise AttributeError(str(gone)) from None
    return globals().get(name) or __getattr__(name)


def _plug_ins() -> dict[str, Any]:
    """The class names of our algorithms and models, and the family that imports each on demand."""
    families = [import_module(family).ALL for family in _FAMILIES]
    return {name: family for family in families for name in family.classes()}
