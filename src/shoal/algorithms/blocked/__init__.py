"""Any algorithm on blocks of similar rows, side by side."""

from __future__ import annotations

from shoal.algorithms.blocked.algorithm import Blocked

__all__ = ["Blocked"]
