"""The linear program over all groups, which may be taken in parts: a lower bound on the loss, and good groups.

Read in this order: ``node_costs`` (what a box is made of), ``group_pool`` (the groups considered so far),
``rounding_cuts`` (what whole groups keep and groups in parts do not), ``linear_program`` (prices of rows), then what it
is for: ``certificate`` (no release loses less) and ``column_generation`` (the algorithm that rounds its solution).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shoal.core.plugins import imported_when_used

if TYPE_CHECKING:
    from shoal.algorithms.relaxation.certificate import Floor as Floor
    from shoal.algorithms.relaxation.certificate import find_floor as find_floor
    from shoal.algorithms.relaxation.certificate import require_certifiable as require_certifiable
    from shoal.algorithms.relaxation.column_generation import ColumnGeneration as ColumnGeneration

__getattr__ = imported_when_used(
    __name__,
    (
        "shoal.algorithms.relaxation.certificate:Floor",
        "shoal.algorithms.relaxation.certificate:find_floor",
        "shoal.algorithms.relaxation.certificate:require_certifiable",
        "shoal.algorithms.relaxation.column_generation:ColumnGeneration",
    ),
)
