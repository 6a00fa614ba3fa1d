"""Freeform generalization: a regular graph between rows and records, built to lose little, and a random draw."""

from __future__ import annotations

from shoal.algorithms.freeform.algorithm import Freeform

__all__ = ["Freeform"]
