"""Microaggregation: groups by squared error, published as their means.

Read in this order: ``algorithm``, ``annealing`` with ``recombining`` (the search), ``optimal``, ``uniting`` (promises
beyond a size), ``aggregates`` (what a group is published as).
"""

from __future__ import annotations

from shoal.algorithms.microaggregation.algorithm import Microaggregation

__all__ = ["Microaggregation"]
