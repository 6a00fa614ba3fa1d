"""Formats numbers for sentences, never in scientific notation."""

from __future__ import annotations

import math


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
