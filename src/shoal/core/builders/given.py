"""Parses the parameters of builders, given in Python, in a job file, or as text on the command line."""

from __future__ import annotations

from collections.abc import Iterable

from shoal.core.number_texts import exact
from shoal.errors import InputError


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
