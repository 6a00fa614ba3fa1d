"""What a release is still good for: measures by what people do with tables. One a file, smaller is better."""

from __future__ import annotations

from shoal.core.plugins import Family, collect
from shoal.utility.contract import Utility
from shoal.utility.correlations import Correlations
from shoal.utility.count_queries import CountQueries
from shoal.utility.marginals import Marginals
from shoal.utility.pairs import Pairs
from shoal.utility.sum_queries import SumQueries

ALL: Family[type[Utility]] = collect("shoal.utility", (CountQueries, SumQueries, Marginals, Pairs, Correlations))
"""Every measure by name."""

__all__ = ["ALL", "Correlations", "CountQueries", "Marginals", "Pairs", "SumQueries", "Utility"]
