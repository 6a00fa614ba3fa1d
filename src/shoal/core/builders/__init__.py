"""Builders make the hierarchy of a column from rules, once its values are known.

All of them guarantee that the leaves of the hierarchy are exactly the values of the column, level 0 is the values
themselves, the last level is the star, and any two nodes are nested or disjoint. Builders that group neighbours
(Intervals, Dates, FanOut) keep the order of the values; the others keep it where their groups allow it.

Read in this order: one builder per file, ``nesting`` (the star on top), ``by_name`` (all of them).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shoal.core.plugins import imported_when_used

if TYPE_CHECKING:
    from shoal.core.builders.by_name import BUILDERS
    from shoal.core.builders.dates import Dates
    from shoal.core.builders.fan_out import FanOut
    from shoal.core.builders.grouping import Grouping
    from shoal.core.builders.icd10 import Icd10
    from shoal.core.builders.intervals import Intervals
    from shoal.core.builders.mask import Mask
    from shoal.core.builders.prefixes import Prefixes

__getattr__ = imported_when_used(
    __name__,
    (
        "shoal.core.builders.by_name:BUILDERS",
        "shoal.core.builders.dates:Dates",
        "shoal.core.builders.fan_out:FanOut",
        "shoal.core.builders.grouping:Grouping",
        "shoal.core.builders.icd10:Icd10",
        "shoal.core.builders.intervals:Intervals",
        "shoal.core.builders.mask:Mask",
        "shoal.core.builders.prefixes:Prefixes",
    ),
)

__all__ = ["BUILDERS", "Dates", "FanOut", "Grouping", "Icd10", "Intervals", "Mask", "Prefixes"]
