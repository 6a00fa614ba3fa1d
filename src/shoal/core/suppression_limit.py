"""The suppression limit: a share or a number of rows; the only place that turns a share into a number."""

from __future__ import annotations

from fractions import Fraction

from shoal.core.parameters import real_number, whole_number
from shoal.errors import InputError

Limit = float | str
"""A share between 0 and 1, or a number of rows as in ``"29 rows"``."""

_HAIR = Fraction(1, 10**15)
"""The share that rounding may lose: 1/3 of 3 rows must be one row."""


def parse_limit(said: object) -> Limit:
    """Parse a limit such as ``0.05``, ``"5%"`` or ``"29 rows"``.

    >>> parse_limit("5%"), parse_limit("29 rows"), parse_limit(0.29)
    (0.05, '29 rows', 0.29)

    Raises:
        InputError: it is none of these.
    """
    text = said.strip().lower() if isinstance(said, str) else said
    if isinstance(text, str) and text.endswith(("row", "rows")):
        rows = whole_number("The number of rows in suppression_limit", text.removesuffix("s")[:-3].strip(), least=0)
        return f"{rows} rows" if rows else 0.0
    if isinstance(text, str) and text.endswith("%"):
        return real_number("suppression_limit", _share(text[:-1].strip()), least=0, most=1)
    try:
        share = real_number("suppression_limit", text, least=0)
    except InputError:
        raise InputError(
            f"suppression_limit must be a share such as 0.05 or '5%', or a number such as '29 rows', got {said!r}."
        ) from None
    if share > 1:
        raise InputError(
            f"suppression_limit must be between 0 and 1, got {said}; write '{share:g} rows' for a number of rows, "
            f"or '{share:g}%'."
        )
    return share


def rows_allowed(limit: Limit, n_rows: int) -> int:
    """How many of ``n_rows`` rows may be suppressed. Exact: 0.29 of 100 rows are 29.

    >>> rows_allowed(0.29, 100), rows_allowed(1 / 3, 3), rows_allowed("29 rows", 100), rows_allowed("29 rows", 10)
    (29, 1, 29, 10)
    """
    if isinstance(limit, str):
        return min(n_rows, int(limit.split()[0]))
    return min(n_rows, int((Fraction(repr(float(limit))) + _HAIR) * n_rows)) if limit else 0


def _share(percent: str) -> object:
    """A percentage as an exact share; other texts are returned as they are for the error message."""
    try:
        return float(Fraction(percent) / 100)
    except (ValueError, ZeroDivisionError):
        return f"{percent}%"
