"""The floor: a proven lower bound on the loss of every release, which shows how far a release is from the optimum.

Read in this order: ``node_costs`` (what a box is made of), ``packing_cuts`` (sets of rows into which few groups fit),
``dual_ascent``, ``certificate``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shoal.core.plugins import imported_when_used

if TYPE_CHECKING:
    from shoal.algorithms.floor.certificate import Floor, find_floor, require_certifiable

__getattr__ = imported_when_used(
    __name__,
    (
        "shoal.algorithms.floor.certificate:Floor",
        "shoal.algorithms.floor.certificate:find_floor",
        "shoal.algorithms.floor.certificate:require_certifiable",
    ),
)

__all__ = ["Floor", "find_floor", "require_certifiable"]
