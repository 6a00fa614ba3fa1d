"""Cell suppression with a guarantee: groups with at most a certain factor times the fewest possible stars.

Read in this order: ``problem`` (the table as all of them see it, what they share, and the result of a greedy cover),
``meyerson_williams`` (covers by sets of rows), ``park_shim`` (covers by patterns), ``factor``.
"""

from __future__ import annotations

from shoal.algorithms.suppression.factor import Factor
from shoal.algorithms.suppression.meyerson_williams import MeyersonWilliams
from shoal.algorithms.suppression.park_shim import ParkShim

__all__ = ["Factor", "MeyersonWilliams", "ParkShim"]
