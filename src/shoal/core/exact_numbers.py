"""Numbers without rounding: integers beyond 2^53 and decimals of any length, as their texts say them."""

from __future__ import annotations

import re
from fractions import Fraction
from math import isfinite

Exact = int | Fraction
"""A number without rounding, so that 0.3 lies in the third bin of width 0.1."""

ENDLESS_EXPONENT = re.compile(r"[eE][-+]?\d{5,}")
"""Written out, such a number would fill the memory."""


def exact(text: str) -> Exact:
    """The finite number that a text says, exactly.

    >>> exact("0.1") * 10, exact("9007199254740993")
    (Fraction(1, 1), 9007199254740993)

    Raises:
        ValueError: the text is no number, no finite one, or has an exponent of five digits or more.
    """
    if not isfinite(float(text)) or ENDLESS_EXPONENT.search(text):
        raise ValueError(text)
    if text.removeprefix("-").isdecimal():
        return int(text)
    fraction = Fraction(text)
    return fraction.numerator if fraction.denominator == 1 else fraction
