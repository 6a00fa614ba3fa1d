"""Old names of settings: they work for a while, with a warning that says the new name and when the old one goes.

A renamed setting is declared with the old name and the version that removes it::

    quasi_identifiers: tuple[str, ...] = word("...", ROLES, (), formerly={"quasi": "0.4"})

Keyword arguments, options and keys of job files then all accept the old name with a warning; from that version on they
refuse it with the same sentence.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Mapping
from importlib.metadata import version
from types import FrameType
from typing import Any

from shoal.errors import Deprecated, InputError


def renamed(
    given: Mapping[str, Any], formerly: Mapping[str, tuple[str, str]], spelled: Callable[[str], str] = repr
) -> dict[str, Any]:
    """The settings under their current names.

    Args:
        given: settings and their values, under any name.
        formerly: for each old name the current one, and the version that removes the old one.
        spelled: how a message writes a setting.

    Raises:
        InputError: an old name was removed, or is given together with the current one.
    """
    said = {name: value for name, value in given.items() if name not in formerly}
    for old in (name for name in given if name in formerly):
        new, until = formerly[old]
        if has_come(until):
            raise InputError(f"{spelled(old)} was renamed {spelled(new)} in shoal {until}.")
        if new in said:
            raise InputError(f"{spelled(old)} is the old name of {spelled(new)}; use only one of them.")
        warn(f"{spelled(old)} is now called {spelled(new)}; the old name will be removed in shoal {until}.")
        said[new] = given[old]
    return said


def has_come(until: str) -> bool:
    """Whether this is that version or a later one."""
    return _numbers(version("shoal")) >= _numbers(until)


def warn(sentence: str) -> None:
    """Issue a ``Deprecated`` warning at the line that called shoal."""
    warnings.warn(sentence, Deprecated, stacklevel=2 + _depth())


def _depth() -> int:
    """How many of the calls that led to the warning are in shoal."""
    frame: FrameType | None = sys._getframe(2)
    depth = 0
    while frame is not None and str(frame.f_globals.get("__name__")).partition(".")[0] == "shoal":
        frame, depth = frame.f_back, depth + 1
    return depth


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split(".") if part.isdecimal())
