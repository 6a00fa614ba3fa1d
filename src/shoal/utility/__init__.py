"""Usefulness of a release, measured by what people do with tables: one measure per file, smaller is better.

Shared modules: ``contract``, ``spread`` (cells as statisticians read them), ``queries``, ``learning``, ``pooling``.
``analyses`` holds analysts' tasks, for any form of the cells.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shoal.core.plugins import Family, collect, imported_when_used
from shoal.utility.contract import Utility

if TYPE_CHECKING:
    from shoal.utility.correlations import Correlations
    from shoal.utility.count_queries import CountQueries
    from shoal.utility.marginals import Marginals
    from shoal.utility.pairs import Pairs
    from shoal.utility.people_queries import PeopleQueries
    from shoal.utility.sum_queries import SumQueries

_PLACES = {
    "count-queries": "shoal.utility.count_queries:CountQueries",
    "people-queries": "shoal.utility.people_queries:PeopleQueries",
    "sum-queries": "shoal.utility.sum_queries:SumQueries",
    "marginals": "shoal.utility.marginals:Marginals",
    "pairs": "shoal.utility.pairs:Pairs",
    "correlations": "shoal.utility.correlations:Correlations",
}

ALL: Family[type[Utility]] = collect("shoal.utility", _PLACES)
"""Every measure by name."""

__getattr__ = imported_when_used(__name__, _PLACES.values())

__all__ = ["ALL", "Correlations", "CountQueries", "Marginals", "Pairs", "PeopleQueries", "SumQueries", "Utility"]
