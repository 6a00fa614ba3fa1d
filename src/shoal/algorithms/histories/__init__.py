"""Whole histories: people become wide rows, any algorithm that makes groups groups them, and rows come back."""

from __future__ import annotations

from shoal.algorithms.histories.algorithm import WholeHistories
from shoal.algorithms.histories.grouping import Choose, Grouped, group_people

__all__ = ["Choose", "Grouped", "WholeHistories", "group_people"]
