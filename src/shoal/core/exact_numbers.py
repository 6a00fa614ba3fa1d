"""Exact numbers from texts: integers beyond 2^53 and decimals of any length."""

from __future__ import annotations

import re
from fractions import Fraction
from math import isfinite

Exact = int | Fraction
"""A number without rounding error, so that 0.3 is in the bin that starts at 0.3."""

ENDLESS_EXPONENT = re.compile(r"[eE][-+]?\d{5,}")
"""Written out, a number with such an exponent would fill the memory."""


def exact(text: str) -> Exact:
    """Parse a text as an exact finite number.

    >>> exact("0.1") * 10, exact("9007199254740993")
    (Fraction(1, 1), 9007199254740993)

    Raises:
        ValueError: the text is not a finite number, or has an exponent of five digits or more.
    """
    if not isfinite(float(text)) or ENDLESS_EXPONENT.search(text):
        raise ValueError(text)
    if text.removeprefix("-").isdecimal():
        return int(text)
    fraction = Fraction(text)
    return fraction.numerator if fraction.denominator == 1 else fraction
