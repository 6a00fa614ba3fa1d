"""Builders make the hierarchy of a column from rules, once its values are known.

All of them guarantee that the leaves of the hierarchy are exactly the values of the column, level 0 is the values
themselves, the last level is the star, and any two nodes are nested or disjoint. Builders that group neighbours
(Intervals, Dates, FanOut) keep the order of the values; the others keep it where their groups allow it.

Read in this order: one builder per file, ``nesting`` (the star on top).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from shoal.core.plugins import Family, imported_when_used

if TYPE_CHECKING:
    from shoal.core.builders.dates import Dates
    from shoal.core.builders.fan_out import FanOut
    from shoal.core.builders.grouping import Grouping
    from shoal.core.builders.icd10 import Icd10
    from shoal.core.builders.intervals import Intervals
    from shoal.core.builders.mask import Mask
    from shoal.core.builders.prefixes import Prefixes

_PLACES = {
    "intervals": "shoal.core.builders.intervals:Intervals",
    "mask": "shoal.core.builders.mask:Mask",
    "dates": "shoal.core.builders.dates:Dates",
    "fanout": "shoal.core.builders.fan_out:FanOut",
    "prefixes": "shoal.core.builders.prefixes:Prefixes",
    "grouping": "shoal.core.builders.grouping:Grouping",
    "icd10": "shoal.core.builders.icd10:Icd10",
}

BUILDERS: Family[type[Any]] = Family(None, _PLACES)
"""The builders by the names that job files and the command line use."""

__getattr__ = imported_when_used(__name__, _PLACES.values())

__all__ = ["BUILDERS", "Dates", "FanOut", "Grouping", "Icd10", "Intervals", "Mask", "Prefixes"]
