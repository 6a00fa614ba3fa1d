"""Parameters of builders as they are given: from Python, from a job file, or as text on the command line."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import isfinite

from shoal.errors import InputError

Exact = int | Fraction
"""A number without rounding, so that 0.3 lies in the third bin of width 0.1."""


def several(name: str, value: object) -> tuple[object, ...]:
    """A list of values; as text they are separated by slashes, and one alone may stand for itself.

    >>> several("levels", "month/year")
    ('month', 'year')
    """
    if isinstance(value, str):
        return tuple(value.split("/")) if value else ()
    if isinstance(value, dict):
        raise InputError(f"{name} must be a list, got {value!r}.")
    return tuple(value) if isinstance(value, Iterable) else (value,)


def yes_or_no(name: str, value: object) -> bool:
    """A truth value, also written ``true`` or ``false``.

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


def exact(text: str) -> Exact:
    """The finite number that a text says, exactly.

    >>> exact("0.1") * 10
    Fraction(1, 1)

    Raises:
        ValueError: the text is no number, or no finite one.
    """
    number = float(text)
    if not isfinite(number):
        raise ValueError(text)
    if text.removeprefix("-").isdecimal():
        return int(text)
    fraction = Fraction(text)
    return fraction.numerator if fraction.denominator == 1 else fraction


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
