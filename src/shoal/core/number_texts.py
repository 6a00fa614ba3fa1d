"""Exact numbers from texts, whatever their length, and numbers as texts for sentences, never in scientific notation."""

from __future__ import annotations

import math
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


def plain(value: float, digits: int = 3) -> str:
    """Format with this many significant digits; larger numbers in full, with thousands separators.

    >>> plain(2712.4), plain(26.31), plain(0.21049), plain(0.0000123), plain(1_234_567.0, 6), plain(float("inf"))
    ('2,712', '26.3', '0.21', '0.0000123', '1,234,567', 'inf')
    """
    if math.isfinite(value) and abs(value) >= 10**digits:
        return f"{value:,.0f}"
    text = f"{value:.{digits}g}"
    if "e" not in text:
        return text
    places = digits - 1 - math.floor(math.log10(abs(value)))
    return f"{value:.{places}f}".rstrip("0") if abs(value) < 1 else f"{value:,.0f}"
