"""Run any algorithm on blocks of similar rows in parallel.

``algorithm`` contains everything except ``similar_rows``, which decides which rows share a block.
"""

from __future__ import annotations

from shoal.algorithms.blocked.algorithm import Blocked

__all__ = ["Blocked"]
