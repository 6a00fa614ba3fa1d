"""Non-homogeneous generalization: parts of similar rows, a ring in each, and a random assignment."""

from __future__ import annotations

from shoal.algorithms.nonhomogeneous.algorithm import NonHomogeneous

__all__ = ["NonHomogeneous"]
