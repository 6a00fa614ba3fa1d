"""Checks of single parameters, with uniform error messages."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from dataclasses import fields
from functools import partial
from typing import Any

from shoal.errors import InputError


def checked(check: Callable[..., Any], name: str, **limits: Any) -> dict[str, Any]:
    """The metadata of a field that ``check`` parses, or refuses under this name, when its object is made."""
    return {"check": partial(check, name, **limits)}


class CheckedFields:
    """The base of frozen dataclasses with fields to be ``checked``; a field that has its default is not.

    >>> from dataclasses import dataclass, field
    >>> @dataclass(frozen=True)
    ... class Least(CheckedFields):
    ...     size: int = field(metadata=checked(whole_number, "The size", least=1))
    >>> Least("5")
    Least(size=5)
    """

    def __post_init__(self) -> None:
        for one in fields(self):  # type: ignore[arg-type]
            said = getattr(self, one.name, one.default)
            if "check" in one.metadata and said is not one.default:
                object.__setattr__(self, one.name, one.metadata["check"](said))


def whole_number(name: str, value: object, *, least: int) -> int:
    """``value`` as a whole number of at least ``least``.

    >>> whole_number("k", "5", least=1)
    5
    """
    try:
        number = int(value) if isinstance(value, str) else operator.index(value)  # type: ignore[arg-type]
        if isinstance(value, bool):
            raise TypeError
    except (TypeError, ValueError):
        raise InputError(f"{name} must be a whole number, got {value!r}.") from None
    if number < least:
        raise InputError(f"{name} must be at least {least}, got {number}.")
    return number


def real_number(name: str, value: object, *, least: float, most: float = math.inf) -> float:
    """``value`` as a number between ``least`` and ``most``.

    >>> real_number("t", "0.2", least=0, most=1)
    0.2
    """
    try:
        number = float(value)  # type: ignore[arg-type]
        if isinstance(value, bool) or math.isnan(number):
            raise TypeError
    except (TypeError, ValueError):
        raise InputError(f"{name} must be a number, got {value!r}.") from None
    if not least <= number <= most:
        bounds = f"at least {least:g}" if math.isinf(most) else f"between {least:g} and {most:g}"
        raise InputError(f"{name} must be {bounds}, got {number:g}.")
    return number
