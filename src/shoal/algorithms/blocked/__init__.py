"""Any algorithm on blocks of similar rows, side by side.

``algorithm`` is all of it but for ``similar_rows``, which says who is together in a block.
"""

from __future__ import annotations

from shoal.algorithms.blocked.algorithm import Blocked

__all__ = ["Blocked"]
