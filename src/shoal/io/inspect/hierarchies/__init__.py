"""Suggesting hierarchies by what columns hold: one kind per file; the first that fits is used.

``fit`` is the result of each; ``regions`` has the names and codes of countries.
"""

from __future__ import annotations

from collections.abc import Callable

from shoal.io.inspect.column_values import Sight
from shoal.io.inspect.hierarchies import ages, calendar, countries, medical_codes, postcodes
from shoal.io.inspect.hierarchies.fit import Fit

ALL: dict[str, Callable[[Sight], Fit | None]] = {
    "ages": ages.fit,
    "dates": calendar.fit,
    "medical codes": medical_codes.fit,
    "postcodes": postcodes.fit,
    "countries": countries.fit,
}
"""The kinds of content with a known hierarchy."""


def best_fit(column: Sight) -> Fit | None:
    """Return the hierarchy that suits a column, if one is known."""
    fits = (fit(column) for fit in ALL.values()) if column.n_distinct > 1 else iter(())
    return next((found for found in fits if found is not None), None)


__all__ = ["ALL", "Fit", "best_fit"]
