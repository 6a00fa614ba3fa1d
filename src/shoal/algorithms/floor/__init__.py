"""The floor: a proven bound below the loss of every release, so that one can say how far from the best it is."""

from __future__ import annotations

from shoal.algorithms.floor.certificate import Floor, find_floor, require_certifiable

__all__ = ["Floor", "find_floor", "require_certifiable"]
