"""Freeform generalization: a regular graph between rows and records, built to lose little, and a random draw.

Read in this order: ``algorithm``, ``rounds`` (the graph grows), ``exact`` (the best one, of small tables).
"""

from __future__ import annotations

from shoal.algorithms.freeform.algorithm import Freeform

__all__ = ["Freeform"]
