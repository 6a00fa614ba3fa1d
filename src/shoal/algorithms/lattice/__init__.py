"""Full-domain generalization: one level per column, and what the searches for it share."""

from __future__ import annotations

from shoal.algorithms.lattice.incognito import Incognito
from shoal.algorithms.lattice.k_optimize import KOptimize
from shoal.algorithms.lattice.optimal import Lattice
from shoal.algorithms.lattice.samarati import Samarati

__all__ = ["Incognito", "KOptimize", "Lattice", "Samarati"]
