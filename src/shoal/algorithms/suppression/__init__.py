"""Cell suppression with a guarantee: groups that star at most so many times the fewest cells there can be.

``problem`` is the table as all of them see it; ``subsets``, ``patterns`` and ``cover`` are greedy covers.
"""

from __future__ import annotations

from shoal.algorithms.suppression.factor import Factor
from shoal.algorithms.suppression.meyerson_williams import MeyersonWilliams
from shoal.algorithms.suppression.park_shim import ParkShim

__all__ = ["Factor", "MeyersonWilliams", "ParkShim"]
