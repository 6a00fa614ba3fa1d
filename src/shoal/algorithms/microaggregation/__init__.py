"""Microaggregation: groups by squared error, published as their means."""

from __future__ import annotations

from shoal.algorithms.microaggregation.algorithm import Microaggregation

__all__ = ["Microaggregation"]
