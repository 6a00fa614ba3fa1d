"""Whole histories: people become wide rows, an algorithm groups them, and the groups are unfolded to rows again.

Read in this order: ``algorithm``, ``alignment`` (whose row is next to whose), ``wide_promises`` and ``grouping``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shoal.core.plugins import imported_when_used

if TYPE_CHECKING:
    from shoal.algorithms.histories.algorithm import WholeHistories
    from shoal.algorithms.histories.grouping import Choose, Grouped, group_people

__getattr__ = imported_when_used(
    __name__,
    (
        "shoal.algorithms.histories.algorithm:WholeHistories",
        "shoal.algorithms.histories.grouping:Choose",
        "shoal.algorithms.histories.grouping:Grouped",
        "shoal.algorithms.histories.grouping:group_people",
    ),
)

__all__ = ["Choose", "Grouped", "WholeHistories", "group_people"]
