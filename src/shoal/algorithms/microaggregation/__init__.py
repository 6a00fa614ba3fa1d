"""Microaggregation: groups with a small squared error, published as their means.

Read in this order: ``algorithm``, ``annealing`` (the search), ``optimal``, ``aggregates`` (the
published values of a group).
"""

from __future__ import annotations

from shoal.algorithms.microaggregation.algorithm import Microaggregation

__all__ = ["Microaggregation"]
