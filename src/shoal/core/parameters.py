"""Checks of single parameters, with uniform error messages."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Collection, Iterable
from dataclasses import fields
from functools import partial
from typing import Any

from shoal.core.number_texts import exact
from shoal.errors import InputError


def checked(check: Callable[..., Any], name: str, **limits: Any) -> dict[str, Any]:
    """The metadata of a field that ``check`` parses, or refuses under this name, when its object is made."""
    return {"check": partial(check, name, **limits)}


class CheckedFields:
    """The base of frozen dataclasses with ``checked`` fields: those that are given, keyword-only ones last.

    >>> from dataclasses import dataclass, field
    >>> @dataclass(frozen=True)
    ... class Least(CheckedFields):
    ...     size: int = field(metadata=checked(whole_number, "The size", least=1))
    >>> Least("5")
    Least(size=5)
    """

    def __post_init__(self) -> None:
        for one in sorted(fields(self), key=lambda one: bool(one.kw_only)):  # type: ignore[arg-type]
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


def positive_number(name: str, value: object, most: float = math.inf) -> float:
    """``value`` as a number above 0 and at most ``most``."""
    number = real_number(name, value, least=-math.inf)
    if not 0 < number <= most:
        bounds = "above 0" if math.isinf(most) else f"above 0 and at most {most:g}"
        raise InputError(f"{name} must be {bounds}, got {number:g}.")
    return number


def one_of(name: str, value: str, known: Collection[str]) -> str:
    """``value``, after checking that it is known."""
    if value not in known:
        raise InputError(f"{name} must be one of {', '.join(known)}, got {value!r}.")
    return value


def words_of(name: str, value: str | Iterable[str]) -> tuple[str, ...]:
    """A tuple of one text or of several."""
    return (value,) if isinstance(value, str) else tuple(value)


def several(name: str, value: object) -> tuple[object, ...]:
    """A list of values; a text is split at slashes, and a single value becomes a list of one.

    >>> several("levels", "month/year")
    ('month', 'year')
    """
    if isinstance(value, str):
        return tuple(value.split("/")) if value else ()
    if isinstance(value, dict):
        raise InputError(f"{name} must be a list, got {value!r}.")
    return tuple(value) if isinstance(value, Iterable) else (value,)


def yes_or_no(name: str, value: object) -> bool:
    """A boolean, also given as the text ``true`` or ``false``.

    >>> yes_or_no("from_right", "false")
    False
    """
    known = {"true": True, "false": False}
    if str(value).lower() not in known:
        raise InputError(f"{name} must be true or false, got {value!r}.")
    return known[str(value).lower()]


def one_character(name: str, value: object) -> str:
    """A text of length one."""
    if not isinstance(value, str) or len(value) != 1:
        raise InputError(f"{name} must be a single character, got {value!r}.")
    return value


def finite_number(name: str, value: object) -> int | float:
    """A finite number, as an int where it is whole.

    >>> finite_number("width", "5.0")
    5
    """
    try:
        number = exact(str(value))
    except ValueError:
        raise InputError(f"{name} must be a finite number, got {value!r}.") from None
    return number if isinstance(number, int) else float(number)
