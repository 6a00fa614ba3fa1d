"""Freeform generalization: a regular graph between rows and records with little loss, and a random assignment.

Read in this order: ``algorithm``, ``rounds`` (building the graph), ``exact`` (the optimal graph of small tables).
"""

from __future__ import annotations

from shoal.algorithms.freeform.algorithm import Freeform

__all__ = ["Freeform"]
