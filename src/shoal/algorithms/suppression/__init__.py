"""Cell suppression with a guarantee: groups that star at most so many times the fewest cells there can be.

Read in this order: ``problem`` (the table as all of them see it), ``meyerson_williams`` with ``subsets`` (covers by
sets of rows), ``park_shim`` with ``patterns`` (covers by patterns), ``cover`` (what a greedy cover leaves behind),
``factor``.
"""

from __future__ import annotations

from shoal.algorithms.suppression.factor import Factor
from shoal.algorithms.suppression.meyerson_williams import MeyersonWilliams
from shoal.algorithms.suppression.park_shim import ParkShim

__all__ = ["Factor", "MeyersonWilliams", "ParkShim"]
