"""Publish tables about people so that every record hides among at least k others.

The names below are all there is to know. Each is imported when it is first used, so that ``import shoal`` is quick.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from shoal.algorithms import Mondrian as Mondrian
    from shoal.core.builders import Dates as Dates
    from shoal.core.builders import FanOut as FanOut
    from shoal.core.builders import Grouping as Grouping
    from shoal.core.builders import Intervals as Intervals
    from shoal.core.builders import Mask as Mask
    from shoal.core.builders import Prefixes as Prefixes
    from shoal.core.hierarchy import Hierarchy as Hierarchy
    from shoal.engine import Result as Result
    from shoal.engine import Verification as Verification
    from shoal.engine import anonymize as anonymize
    from shoal.engine import verify as verify
    from shoal.errors import BrokenPromise as BrokenPromise
    from shoal.errors import GoalNotMet as GoalNotMet
    from shoal.errors import ImpossibleGoal as ImpossibleGoal
    from shoal.errors import InputError as InputError
    from shoal.errors import ShoalError as ShoalError
    from shoal.io.inspect import inspect_frame
    from shoal.models import AlphaK as AlphaK
    from shoal.models import BetaLikeness as BetaLikeness
    from shoal.models import DeltaDisclosure as DeltaDisclosure
    from shoal.models import KAnonymity as KAnonymity
    from shoal.models import LDiversity as LDiversity
    from shoal.models import PSensitive as PSensitive
    from shoal.models import TCloseness as TCloseness

    __version__: str
    inspect = inspect_frame

_HOMES = {
    "AlphaK": "shoal.models",
    "BetaLikeness": "shoal.models",
    "BrokenPromise": "shoal.errors",
    "Dates": "shoal.core.builders",
    "DeltaDisclosure": "shoal.models",
    "FanOut": "shoal.core.builders",
    "GoalNotMet": "shoal.errors",
    "Grouping": "shoal.core.builders",
    "Hierarchy": "shoal.core.hierarchy",
    "ImpossibleGoal": "shoal.errors",
    "InputError": "shoal.errors",
    "Intervals": "shoal.core.builders",
    "KAnonymity": "shoal.models",
    "LDiversity": "shoal.models",
    "Mask": "shoal.core.builders",
    "Mondrian": "shoal.algorithms",
    "PSensitive": "shoal.models",
    "Prefixes": "shoal.core.builders",
    "Result": "shoal.engine",
    "ShoalError": "shoal.errors",
    "TCloseness": "shoal.models",
    "Verification": "shoal.engine",
    "anonymize": "shoal.engine",
    "inspect": "shoal.io.inspect:inspect_frame",
    "verify": "shoal.engine",
}

__all__ = sorted([*_HOMES, "__version__"])


def __getattr__(name: str) -> object:
    """Import a public name when it is first asked for, and keep it."""
    if name == "__version__":
        found: object = import_module("importlib.metadata").version("shoal")
    elif name in _HOMES:
        home, _, original = _HOMES[name].partition(":")
        found = getattr(import_module(home), original or name)
    else:
        raise AttributeError(f"module 'shoal' has no attribute {name!r}")
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    """The public names."""
    return __all__
