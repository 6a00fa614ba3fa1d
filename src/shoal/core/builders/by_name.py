"""The hierarchy builders by name."""

from __future__ import annotations

from typing import Any

from shoal.core.builders.dates import Dates
from shoal.core.builders.fan_out import FanOut
from shoal.core.builders.grouping import Grouping
from shoal.core.builders.icd10 import Icd10
from shoal.core.builders.intervals import Intervals
from shoal.core.builders.mask import Mask
from shoal.core.builders.prefixes import Prefixes

BUILDERS: dict[str, type[Any]] = {
    "intervals": Intervals,
    "mask": Mask,
    "dates": Dates,
    "fanout": FanOut,
    "prefixes": Prefixes,
    "grouping": Grouping,
    "icd10": Icd10,
}
"""The builders by the names that job files and the command line use."""
